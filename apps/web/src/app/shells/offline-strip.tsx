import { useText } from '../../lib/i18n.ts'
import { useConnection } from '../../lib/live.ts'
import { NoticeStrip } from '../../ui/page-states.tsx'

/** Shows that the device is offline or that the app is reconnecting. */
export function OfflineStrip() {
  const { t } = useText()
  const connection = useConnection()
  return (
    <NoticeStrip shown={connection !== 'good'}>
      {t(connection === 'offline' ? 'common.offline' : 'common.reconnecting')}
    </NoticeStrip>
  )
}
