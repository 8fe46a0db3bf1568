import type { LedgerEntry } from '@hansom/contract/wallet'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { accountName } from './leg-words.ts'
import classes from './wallet.module.css'

/** One ledger entry with all its legs. */
export function EntryDialog({ entry, onClose }: { entry: LedgerEntry; onClose: () => void }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Dialog
      open
      onClose={onClose}
      width={600}
      title={t(`wallet.kind_${entry.kind}`)}
      footer={
        entry.booking ? (
          <Link to="/trip/$id" params={{ id: entry.booking }} className={buttonClass()}>
            {t('wallet.trip_link')}
          </Link>
        ) : undefined
      }
    >
      <p className={classes.lead}>
        <Ltr>{format.dateTime(entry.at)}</Ltr>
        {' · '}
        <bdi>{entry.by_name ?? t('wallet.by_platform')}</bdi>
        {entry.booking_id ? (
          <>
            {' · '}
            <Ltr>{entry.booking_id}</Ltr>
          </>
        ) : null}
      </p>
      {entry.note ? (
        <p className={classes.lead} dir="auto">
          {entry.note}
        </p>
      ) : null}
      <table className={classes.entry}>
        <thead>
          <tr>
            <th scope="col">{t('wallet.account')}</th>
            <th scope="col">{t('wallet.amount')}</th>
            <th scope="col">{t('wallet.balance_after')}</th>
          </tr>
        </thead>
        <tbody>
          {entry.legs.map((leg, at) => (
            <tr key={at}>
              <th scope="row">
                {leg.group === 'user' && leg.of ? (
                  <Link to="/ledger" search={{ user: leg.of }} onClick={onClose}>
                    <bdi>{accountName(leg, t)}</bdi>
                  </Link>
                ) : (
                  <bdi>{accountName(leg, t)}</bdi>
                )}
              </th>
              <td>
                <Money amount={leg.amount} />
              </td>
              <td>{leg.balance === null ? null : <Money amount={leg.balance} />}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('wallet.entry_zero')}</th>
            <td>
              <Money amount={entry.legs.reduce((sum, { amount }) => sum + amount, 0)} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </Dialog>
  )
}
