import type { UserView } from '@hansom/contract/users'
import type { KeyIn, TextKey } from '@hansom/domain/languages/text-key'
import { userTextFields } from '@hansom/domain/users/field-views'
import { type UserFieldGroup, userFields } from '@hansom/domain/users/fields'
import { IconReceipt, IconRoute, IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { PhoneLink } from '../../../ui/phone-link.tsx'
import { LicenceButton } from './user-dialogs.tsx'
import { ApprovalChip, Picture, userName } from './user-mark.tsx'
import classes from './users.module.css'

interface Props {
  id: string | undefined
  onClose: () => void
  onLicence: (user: UserView) => void
  /** The row actions of the table. */
  actions: (user: UserView) => ReactNode
}

/** All data of a user, with links to their trips and ledger. */
export function UserDrawer({ id, onClose, onLicence, actions }: Props) {
  const { t } = useText()
  const query = useQuery({
    ...orpc.users.get.queryOptions({ input: { id: id ?? '' } }),
    enabled: id !== undefined,
  })
  if (id === undefined) return null
  const user = query.data
  return (
    <Drawer
      open
      onClose={onClose}
      label={user ? userName(user) : t('common.loading')}
      width={460}
      hasEntry={false}
    >
      <div className={classes.drawer}>
        {query.isPending ? <LoadingState rows={6} height="40px" /> : null}
        {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
        {user ? (
          <>
            <div className={classes.drawerHead}>
              <Picture user={user} size={64} />
              <div>
                <h2 className={classes.drawerName}>
                  <bdi>{userName(user)}</bdi>
                </h2>
                <p className={classes.drawerKind}>
                  {t(`users.type_${user.usertype}`)}
                  {' · '}
                  <ApprovalChip user={user} />
                </p>
              </div>
            </div>
            <div className={classes.drawerActions}>
              {user.usertype === 'rider' || user.usertype === 'driver' ? (
                <Link
                  to="/bookings"
                  search={{ [user.usertype === 'driver' ? 'driver' : 'customer']: user.uid }}
                  className={buttonClass({ size: 'small' })}
                >
                  {user.usertype === 'driver' ? (
                    <IconRoute size={17} aria-hidden />
                  ) : (
                    <IconReceipt size={17} aria-hidden />
                  )}
                  {t('users.trips')}
                </Link>
              ) : null}
              {user.walletBalance === null ? null : (
                <Link to="/ledger" search={{ user: user.uid }} className={buttonClass({ size: 'small' })}>
                  <IconScale size={17} aria-hidden />
                  {t('wallet.see_ledger')}
                </Link>
              )}
              {actions(user)}
            </div>
            {user.rejection === null ? null : (
              <Notice tone="attention">
                {t('users.rejected_for', { reason: isolated(user.rejection) })}
              </Notice>
            )}
            <Facts user={user} onLicence={onLicence} />
          </>
        ) : null}
      </div>
    </Drawer>
  )
}

/** The names that the drawer's title shows. */
const inTitle: readonly string[] = ['firstName', 'lastName']

function Facts({ user, onLicence }: { user: UserView; onLicence: (user: UserView) => void }) {
  const { t } = useText()
  const format = useFormat()
  const flag = (value: boolean | null, yes: TextKey, no: TextKey) =>
    value === null ? null : t(value ? yes : no)
  const number = (value: string | null) => (value ? <Ltr>{value}</Ltr> : null)
  const words = (value: string | null) => (value ? <bdi>{value}</bdi> : null)
  const texts = (group: UserFieldGroup) =>
    userTextFields(group).map((field): [KeyIn<'users'>, ReactNode] => [
      field,
      userFields[field].kind === 'code' ? number(user[field]) : words(user[field]),
    ])
  const groups: [TextKey, [KeyIn<'users'>, ReactNode][]][] = [
    [
      'users.account',
      [
        ...texts('name').filter(([field]) => !inTitle.includes(field)),
        ['email', words(user.email)],
        ['mobile', user.mobile ? <PhoneLink key="mobile" phone={user.mobile} /> : null],
        ['createdAt', format.dateTime(user.createdAt)],
        ['loginType', t(`users.login_${user.loginType}` as string)],
        ['createdByAdmin', user.createdByAdmin ? t('table.flag_true') : null],
        ['rating', user.rating === null ? null : <Ltr key="rating">{format.number(user.rating, 1)}</Ltr>],
        ['referralId', number(user.referralId)],
      ],
    ],
    [
      'users.vehicle',
      [
        ['carType', user.carType && <CarTypeName key="carType" stored={user.carType} />],
        ...texts('vehicle'),
        [
          'driverActiveStatus',
          user.approved ? flag(user.driverActiveStatus, 'users.is_active', 'users.is_inactive') : null,
        ],
        ['queue', flag(user.queue, 'users.is_busy', 'users.is_free')],
        ['fleet', words(user.fleetadmin_name)],
        [
          'licence',
          user.usertype === 'driver' ? <LicenceButton key="licence" user={user} onOpen={onLicence} /> : null,
        ],
      ],
    ],
    [
      'users.money',
      [
        [
          'walletBalance',
          user.walletBalance === null ? null : <Money key="balance" amount={user.walletBalance} />,
        ],
        ...texts('bank'),
      ],
    ],
  ]
  return groups.map(([title, facts]) => {
    const known = facts.filter(([, value]) => value !== null)
    return known.length === 0 ? null : (
      <section key={title} className={classes.facts}>
        <h3 className={classes.factsTitle}>{t(title)}</h3>
        <dl>
          {known.map(([name, value]) => (
            <div key={name} className={classes.fact}>
              <dt>{t(`users.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    )
  })
}

/** The id of the user whose details are open, from the URL, and a function that opens another or none. */
export function useOpenUser(): [string | undefined, (id: string | undefined) => void] {
  const [{ open }, change] = useSearchParams()
  const { history } = useRouter()
  // Opening adds an entry, so that Back closes the drawer. Closing goes back to the entry before it, so that the next
  // Back leaves the page; where the URL opened the drawer, there is none.
  const hasEntry = useRef(false)
  useEffect(() => {
    if (!open) hasEntry.current = false
  }, [open])
  const set = (id: string | undefined) => {
    if (id === undefined && hasEntry.current) history.back()
    else change(() => ({ open: id }), { push: id !== undefined && !open })
    hasEntry.current = id !== undefined && (hasEntry.current || !open)
  }
  return [open || undefined, set]
}
