import { serverNow } from '../../lib/clock.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useConnection, useLastUpdate } from '../../lib/live.ts'
import { useNewVersion } from '../../lib/new-version.ts'
import { Button } from '../../ui/button.tsx'
import { NoticeStrip } from '../../ui/page-states.tsx'

const halfDayMs = 12 * 3_600_000
/** The time of day, with the day if it was long ago. */
const timeOf = (at: number, format: Format) =>
  serverNow() - at < halfDayMs ? format.clock(at) : format.dateTime(at)

/** Shows that the device is offline or that the app is reconnecting, and how old the page's data is. */
export function OfflineStrip() {
  const { t } = useText()
  const format = useFormat()
  const connection = useConnection()
  const at = useLastUpdate()
  const hasNewVersion = useNewVersion()
  return (
    <>
      <NoticeStrip shown={connection !== 'good'}>
        {t(connection === 'offline' ? 'common.offline' : 'common.reconnecting')}
        {at === null ? null : ` · ${t('common.last_update', { time: timeOf(at, format) })}`}
      </NoticeStrip>
      <NoticeStrip shown={hasNewVersion && connection === 'good'}>
        {t('common.new_version')}{' '}
        <Button variant="quiet" size="small" onClick={() => location.reload()}>
          {t('common.update')}
        </Button>
      </NoticeStrip>
    </>
  )
}
