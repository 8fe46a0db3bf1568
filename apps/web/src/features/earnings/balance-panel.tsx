import { mayWithdraw } from '@hansom/domain/wallet/withdraw'
import { Link } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './earnings.module.css'

/** What the wallet holds now, and the ways to it. `isNext`: withdrawing is the next step of the page. */
export function BalancePanel({ isNext }: { isNext: boolean }) {
  const { t } = useText()
  const me = useMe()
  const settings = useSettings()
  if (me === null) return null
  const balance = me.walletBalance
  return (
    <section className={classes.balance} aria-labelledby="earnings-balance">
      <div>
        <h2 id="earnings-balance" className={classes.label}>
          {t('earnings.balance')}
        </h2>
        <p className={balance < 0 ? `${classes.held} ${classes.owed}` : classes.held}>
          <Money amount={balance} />
        </p>
        {balance < 0 ? <p className={classes.quiet}>{t('earnings.owed')}</p> : null}
      </div>
      <div className={classes.buttons}>
        {balance > 0 && mayWithdraw(me.usertype, settings) ? (
          <Link
            to="/wallet"
            search={{ withdraw: 'true' }}
            className={isNext ? buttonClass({ variant: 'primary' }) : `${buttonClass()} ${classes.onLacquer}`}
          >
            {t('earnings.withdraw')}
          </Link>
        ) : null}
        <Link to="/wallet" className={`${buttonClass()} ${classes.onLacquer}`}>
          {t('earnings.open_wallet')}
        </Link>
      </div>
    </section>
  )
}
