import type { Amount } from '../money/amount.ts'
import { type Entry, entry, entryIfAny, providerAccount, userAccount } from './ledger.ts'
import { type Captured, paymentKey } from './trip-entries.ts'

/** A user requests a withdrawal; the money waits in `payout`. `request` is the withdrawal request's id. */
export function withdrawRequested(request: string, user: string, amount: Amount): Entry {
  return entry('withdraw_asked', `withdraw:${request}:asked`, null, [
    { account: userAccount(user), amount: -amount },
    { account: 'payout', amount },
  ])
}

/** An admin has paid out a withdrawal request. */
export function withdrawProcessed(request: string, amount: Amount): Entry {
  return entry('withdraw_processed', `withdraw:${request}:done`, null, [
    { account: 'payout', amount: -amount },
    { account: 'bank', amount },
  ])
}

/** A withdrawal request was refused. It shares its key with the payout: only one of them can be written. */
export function withdrawRefused(request: string, user: string, amount: Amount): Entry {
  return entry('withdraw_refused', `withdraw:${request}:done`, null, [
    { account: 'payout', amount: -amount },
    { account: userAccount(user), amount },
  ])
}

/** An admin credits a wallet. `credit` is the credit's id. */
export function adminCredit(credit: string, user: string, amount: Amount): Entry {
  return entry('admin_credit', `credit:${credit}`, null, [
    { account: 'adjustment', amount: -amount },
    { account: userAccount(user), amount },
  ])
}

/** An admin debits a wallet. `debit` is the debit's id. */
export function adminDebit(debit: string, user: string, amount: Amount): Entry {
  return entry('admin_debit', `debit:${debit}`, null, [
    { account: userAccount(user), amount: -amount },
    { account: 'adjustment', amount },
  ])
}

/** A credit (`amount` above 0) or debit (below 0) was a mistake. Its key allows only one reversal. */
export function adjustmentReversed(adjustment: string, user: string, amount: Amount): Entry {
  return entry('adjustment_reversed', `adjustment:${adjustment}:reversed`, null, [
    { account: userAccount(user), amount: -amount },
    { account: 'adjustment', amount },
  ])
}

/** The balance of an account that is deleted was given up, by its owner's or an admin's explicit choice. */
export function balanceGivenUp(user: string, amount: Amount): Entry {
  return entry('balance_given_up', `given-up:${user}`, null, [
    { account: userAccount(user), amount: -amount },
    { account: 'adjustment', amount },
  ])
}

/** A user tops the wallet up by card. */
export function topUp(user: string, { provider, amount, payment }: Captured & { payment: string }): Entry {
  return entry('top_up', paymentKey(payment), null, [
    { account: providerAccount(provider), amount: -amount },
    { account: userAccount(user), amount },
  ])
}

/** Newcomer and referrer each get the bonus, once per newcomer. `booking` is the first completed trip. */
export function referralBonus(newcomer: string, referrer: string, bonus: Amount, booking: string): Entry {
  return entry('referral_bonus', referralBonusKey(newcomer), booking, [
    { account: 'bonus', amount: -2 * bonus },
    { account: userAccount(newcomer), amount: bonus },
    { account: userAccount(referrer), amount: bonus },
  ])
}

/** The key that shows whether a newcomer's bonus was paid. */
export function referralBonusKey(newcomer: string): string {
  return `referral:${newcomer}`
}

/** An admin received cash from a driver or rider. `receipt` is the receipt's id. */
export function cashReceived(receipt: string, user: string, amount: Amount): Entry {
  return entry('cash_received', `cash:${receipt}`, null, [
    { account: 'cash_desk', amount: -amount },
    { account: userAccount(user), amount },
  ])
}

/** A receipt was a mistake. Its key allows only one reversal. */
export function cashReversed(receipt: string, user: string, amount: Amount): Entry {
  return entry('cash_reversed', `cash:${receipt}:reversed`, null, [
    { account: 'cash_desk', amount },
    { account: userAccount(user), amount: -amount },
  ])
}

/** Cash from the desk was paid into the bank. `banking` is the banking's id. */
export function cashBanked(banking: string, amount: Amount): Entry {
  return entry('cash_banked', `banked:${banking}`, null, [
    { account: 'cash_desk', amount },
    { account: 'bank', amount: -amount },
  ])
}

/** A guest's balance, or debt, moves to the account that has proven the guest's number. */
export function guestTakenOver(guest: string, user: string, balance: Amount): Entry[] {
  return entryIfAny('guest_taken_over', `guest:${guest}`, null, [
    { account: userAccount(guest), amount: -balance },
    { account: userAccount(user), amount: balance },
  ])
}

/**
 * An admin decided an objection: the platform bears the part of the rider's negative balance that the rider says was
 * paid in cash.
 */
export function objectionDecided(booking: string, rider: string, amount: Amount): Entry[] {
  return entryIfAny('objection_decided', `${booking}:objection`, booking, [
    { account: 'platform', amount: -amount },
    { account: userAccount(rider), amount },
  ])
}
