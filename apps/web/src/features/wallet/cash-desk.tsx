import type { CashReceipt } from '@hansom/contract/wallet'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UserPicker } from '../../entities/users/user-picker.tsx'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { PlainForm } from '../../ui/form-card.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { typedAmount } from '../../ui/typed-amount.ts'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import { ReversibleList } from './reversible-list.tsx'
import classes from './wallet.module.css'

function reloadDesk(): void {
  for (const key of [orpc.wallet.cash.key(), orpc.users.key(), orpc.ledger.key()]) {
    void queryClient.invalidateQueries({ queryKey: key })
  }
}

/** Receives cash from drivers and riders with a receipt, shows the balance of the desk, and banks it. */
export function CashDesk() {
  const { t } = useText()
  const format = useFormat()
  const { closed } = useDemoGuard()
  const isClosed = closed('wallet.receiveCash')
  const query = useInfiniteQuery(
    orpc.wallet.cash.infiniteOptions({
      input: (cursor: string | undefined) => (cursor === undefined ? {} : { cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const held = query.data?.pages[0]?.held ?? 0
  return (
    <section className={classes.section} aria-labelledby="cash-desk">
      <h2 id="cash-desk" className={classes.heading}>
        {t('wallet.account_cash_desk')}
      </h2>
      <p className={classes.intro}>{t('wallet.cash_intro')}</p>
      <div className={classes.card}>
        <Receive isClosed={isClosed} />
      </div>
      <div className={classes.card}>
        <p className={classes.held}>
          <span>{t('wallet.cash_held')}</span>
          <strong>
            <Money amount={held} />
          </strong>
        </p>
        <Bank isClosed={isClosed || held === 0} />
      </div>
      <h3 className={classes.receipts}>{t('wallet.cash_receipts')}</h3>
      <ReversibleList
        query={query}
        entries={query.data?.pages.flatMap(({ items }) => items)}
        none={t('wallet.cash_none')}
        details={({ number, at, note }) => (
          <>
            <span className={classes.when}>
              {t('wallet.cash_number')} <Ltr>{number}</Ltr> · <bdi>{format.dateTime(at)}</bdi>
            </span>
            {note ? (
              <span className={classes.when}>
                <bdi>{note}</bdi>
              </span>
            ) : null}
          </>
        )}
        reasonOf={(receipt) => receipt.reason}
        isClosed={isClosed}
        dialog={({ id, amount, name }) => ({
          title: t('wallet.cash_reverse_title'),
          text: t('wallet.cash_reverse_text', {
            amount: isolated(format.money(amount)),
            name: isolated(name),
          }),
          command: `wallet.reverse_cash ${id}`,
          save: (reason, options) => api.wallet.reverseCash({ id, reason }, options),
        })}
        onReversed={reloadDesk}
      />
    </section>
  )
}

function Receive({ isClosed }: { isClosed: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const settings = useSettings()
  const [uid, setUid] = useState<string | undefined>()
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [made, setMade] = useState<CashReceipt | null>(null)
  const amount = typedAmount(text, settings)
  const sending = useSubmit((receipt: CashReceipt) => {
    setMade(receipt)
    setText('')
    setNote('')
    reloadDesk()
  })
  const submit = () => {
    if (uid === undefined) return
    setMade(null)
    const command = { id: uid, amount, note: note.trim() }
    sending.send(() =>
      idempotentCall('wallet.receive_cash', command, ({ id, ...input }, options) =>
        api.wallet.receiveCash({ uid: id, ...input }, options),
      ),
    )
  }
  return (
    <PlainForm onSubmit={submit}>
      <UserPicker
        label={t('wallet.cash_from')}
        usertype={['driver', 'rider']}
        value={uid}
        onChange={setUid}
      />
      <TextField
        label={t('wallet.amount')}
        name="cash"
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <TextField
        label={t('wallet.note')}
        name="note"
        dir="auto"
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {sending.failure}
      {made ? (
        <Notice tone="good">
          {t('wallet.cash_done', {
            amount: isolated(format.money(made.amount)),
            name: isolated(made.name),
            number: isolated(String(made.number)),
          })}
        </Notice>
      ) : null}
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="primary"
          busy={sending.busy}
          disabled={isClosed || uid === undefined || amount <= 0}
        >
          {t('wallet.cash_record')}
        </Button>
      </div>
    </PlainForm>
  )
}

function Bank({ isClosed }: { isClosed: boolean }) {
  const { t } = useText()
  const settings = useSettings()
  const [text, setText] = useState('')
  const amount = typedAmount(text, settings)
  const sending = useSubmit(() => {
    setText('')
    reloadDesk()
  })
  return (
    <PlainForm
      onSubmit={() =>
        sending.send(() =>
          idempotentCall('wallet.bank_cash', { id: 'desk', amount }, ({ amount: banked }, options) =>
            api.wallet.bankCash({ amount: banked }, options),
          ),
        )
      }
    >
      <div className={classes.amountLine}>
        <TextField
          label={t('wallet.cash_bank_amount')}
          name="banked"
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" busy={sending.busy} disabled={isClosed || amount <= 0}>
          {t('wallet.cash_bank')}
        </Button>
      </div>
      {sending.failure}
    </PlainForm>
  )
}
