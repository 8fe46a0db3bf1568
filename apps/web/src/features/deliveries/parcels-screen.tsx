import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AddressBookTab } from './address-book-tab.tsx'
import { ImportsTab } from './imports-tab.tsx'
import classes from './parcels.module.css'

/** What senders of many parcels use: deliveries from files, and saved recipients. */
export function ParcelsScreen() {
  const { t } = useText()
  const [tab, setTab] = useState<'imports' | 'recipients'>('imports')
  return (
    <div className={pageFrame}>
      <PageHead title={t('delivery.parcels')} lead={t('delivery.parcels_lead')} />
      <div className={classes.tabs}>
        <Tabs
          label={t('delivery.parcels')}
          tabs={[
            { id: 'imports', label: t('delivery.imports') },
            { id: 'recipients', label: t('delivery.address_book') },
          ]}
          value={tab}
          onChange={setTab}
        >
          {tab === 'imports' ? <ImportsTab /> : <AddressBookTab />}
        </Tabs>
      </div>
    </div>
  )
}
