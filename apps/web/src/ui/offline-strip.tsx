import { useText } from '../lib/i18n.ts'
import { useConnection } from '../lib/live.ts'
import { NoticeStrip } from './page-states.tsx'

/** Says that the line to the server is being restored, or that the device is offline. */
export function OfflineStrip() {
  const { t } = useText()
  const connection = useConnection()
  return (
    <NoticeStrip shown={connection !== 'good'}>
      {t(connection === 'offline' ? 'common.offline' : 'common.reconnecting')}
    </NoticeStrip>
  )
}
