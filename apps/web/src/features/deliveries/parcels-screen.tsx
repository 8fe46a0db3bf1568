import { useState } from 'react'
import { UserPicker } from '../../entities/users/user-picker.tsx'
import { useText } from '../../lib/i18n.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useMe } from '../../lib/session.ts'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AddressBookTab } from './address-book-tab.tsx'
import { ImportsTab } from './imports-tab.tsx'
import classes from './parcels.module.css'

/** What senders of many parcels use: deliveries from files, and saved recipients. Admins upload files for a sender. */
export function ParcelsScreen() {
  const { t } = useText()
  const isAdmin = useMe()?.usertype === 'admin'
  return (
    <div className={pageFrame}>
      <PageHead title={t('parcels.title')} lead={t(isAdmin ? 'parcels.lead_for' : 'parcels.lead')} />
      <div className={classes.tabs}>{isAdmin ? <SendersFiles /> : <OwnParcels />}</div>
    </div>
  )
}

function OwnParcels() {
  const { t } = useText()
  const [tab, setTab] = useState<'imports' | 'recipients'>('imports')
  return (
    <Tabs
      label={t('parcels.title')}
      tabs={[
        { id: 'imports', label: t('parcels.imports') },
        { id: 'recipients', label: t('parcels.address_book') },
      ]}
      value={tab}
      onChange={setTab}
    >
      {tab === 'imports' ? <ImportsTab /> : <AddressBookTab />}
    </Tabs>
  )
}

/** The files of the rider in the URL, whom an admin chooses. */
function SendersFiles() {
  const { t } = useText()
  const [{ rider }, changeSearch] = useSearchParams()
  return (
    <div className={classes.tab}>
      <UserPicker
        label={t('parcels.sender')}
        usertype="rider"
        value={rider}
        onChange={(chosen) => changeSearch((old) => ({ ...old, rider: chosen }))}
      />
      {rider ? <ImportsTab key={rider} sender={rider} /> : null}
    </div>
  )
}
