/**
 * The comparisons of the ledger with stored values. Each query returns the differences only: `subject` identifies the
 * row, `kept` is the stored value, `replayed` the sum of the ledger's legs, both in 10^-4 of the currency unit.
 */
export const comparisons = {
  /** Every entry has at least two legs, and they sum to zero. */
  entry: `
    select e.id::text as subject, count(l.*) as kept, coalesce(sum(l.amount), 0)::bigint as replayed
      from ledger_records e left join ledger_lines l on l.entry_id = e.id
      group by e.id having count(l.*) < 2 or coalesce(sum(l.amount), 0) <> 0`,
  /** A user's balance is the sum of all legs of their account. */
  wallet: `
    select u.id::text as subject, u.wallet_balance as kept, coalesce(l.sum, 0)::bigint as replayed
      from user_balances u left join (
        select user_id, sum(amount) as sum from ledger_lines where user_id is not null group by user_id) l
        on l.user_id = u.id
      where u.wallet_balance <> coalesce(l.sum, 0)`,
  /** The balances stored with a wallet's legs form one chain from zero to the current balance. */
  history: `
    select u.id::text as subject, u.wallet_balance as kept, steps.value as replayed
      from (select user_id, value, sum(step) as net from (
          select user_id, balance as value, 1 as step from ledger_lines where user_id is not null
          union all select user_id, balance - amount, -1 from ledger_lines where user_id is not null) both_ends
        group by user_id, value having sum(step) <> 0) steps
        join user_balances u on u.id = steps.user_id
      where steps.net <> (steps.value = u.wallet_balance)::int - (steps.value = 0)::int`,
  /** A trip's escrow: empty once it is paid or cancelled, before that the amount paid in and a promo's part. */
  escrow: `
    select coalesce(b.id::text, l.account) as subject, coalesce(b.held, 0) as kept, coalesce(l.sum, 0)::bigint as replayed
      from booking_escrow b
        full join (select account, sum(amount) as sum from ledger_lines where account like 'trip:%' group by account) l
        on l.account = 'trip:' || b.id
      where coalesce(b.held, 0) <> coalesce(l.sum, 0)`,
  /** Amounts owed to drivers that riders have not paid yet. */
  due: `
    select coalesce('due:' || d.booking, l.account) as subject, coalesce(d.open, 0) as kept,
        coalesce(l.sum, 0)::bigint as replayed
      from booking_dues d
        full join (select account, sum(amount) as sum from ledger_lines where account like 'due:%' group by account) l
        on l.account = 'due:' || d.booking
      where coalesce(d.open, 0) <> coalesce(l.sum, 0)`,
  /**
   * No driver waits for more than the rider owes, except while the release of a rider's payment is an event in the
   * outbox.
   */
  due_covered: `
    select u.id::text as subject, greatest(0, -u.wallet_balance) as kept, d.sum as replayed
      from (select rider, sum(open)::bigint as sum from booking_dues where open > 0 group by rider) d
        join user_balances u on u.id = d.rider
      where d.sum > greatest(0, -u.wallet_balance)
        and not exists (select from outbox o where o.kind = 'wallet.rose' and o.stream = 'wallet:' || u.id)`,
  /** The cash desk holds its receipts that were not banked; its balance is never negative. */
  cash_desk: `
    select 'cash_desk' as subject, -(r.sum - b.sum) as kept, l.sum as replayed
      from (select coalesce(sum(amount), 0)::bigint as sum from cash_desk_receipts) r,
        (select coalesce(sum(g.amount), 0)::bigint as sum from ledger_records e
          join ledger_lines g on g.entry_id = e.id and g.account = 'cash_desk' where e.kind = 'cash_banked') b,
        (select coalesce(sum(amount), 0)::bigint as sum from ledger_lines where account = 'cash_desk') l
      where -(r.sum - b.sum) <> l.sum or l.sum > 0`,
  /** Undecided withdrawals are in the account \`payout\`. */
  payout: `
    select 'payout' as subject, w.sum as kept, l.sum as replayed
      from (select coalesce(sum(amount), 0)::bigint as sum from undecided_withdrawals) w,
        (select coalesce(sum(amount), 0)::bigint as sum from ledger_lines where account = 'payout') l
      where w.sum <> l.sum`,
  /** Refunds in progress are in the account \`refund\`. */
  refund: `
    select 'refund' as subject, r.sum as kept, l.sum as replayed
      from (select coalesce(sum(amount), 0)::bigint as sum from refund_records where ended_at is null) r,
        (select coalesce(sum(amount), 0)::bigint as sum from ledger_lines where account = 'refund') l
      where r.sum <> l.sum`,
  /** Captures minus refunds of each provider. A payment attempt may record its use shortly after the ledger does. */
  provider: `
    select coalesce(p.account, l.account) as subject, coalesce(p.sum, 0)::bigint as kept,
        coalesce(l.sum, 0)::bigint as replayed
      from (select account, sum(amount) as sum from (
          select 'provider:' || provider as account, -amount as amount from payment_records p where p.used_for is not null
            or (p.state = 'paid' and exists (select from ledger_records e where e.key = 'payment:' || p.id))
          union all
          select 'provider:' || provider, fee + case when state = 'confirmed' then amount else 0 end
            from refund_records where provider is not null) moved
        group by account) p
        full join (select account, sum(amount) as sum from ledger_lines where account like 'provider:%' group by account) l
        using (account)
      where coalesce(p.sum, 0) <> coalesce(l.sum, 0)`,
  /** The running sums of the accounts, which pages show. */
  sums: `
    select coalesce(s.account, l.account) as subject, coalesce(s.sum, 0)::bigint as kept,
        coalesce(l.sum, 0)::bigint as replayed
      from ledger_totals s
        full join (select ledger_sum_account(account) as account, sum(amount) as sum from ledger_lines group by 1) l
        using (account)
      where coalesce(s.sum, 0) <> coalesce(l.sum, 0)`,
} as const satisfies Record<string, string>

export type Comparison = keyof typeof comparisons
