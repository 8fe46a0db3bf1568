import { useEffect, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { useLiveStatus } from '../lib/live.ts'
import { NoticeStrip } from './page-states.tsx'

/** Says that the line to the server is being restored, or that the device is offline. */
export function OfflineStrip() {
  const { t } = useText()
  const status = useLiveStatus()
  const [offline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <NoticeStrip shown={offline || status === 'reconnecting'}>
      {t(offline ? 'common.offline' : 'common.reconnecting')}
    </NoticeStrip>
  )
}
