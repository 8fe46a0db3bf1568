import { IconDownload } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page-head.tsx'

interface Props {
  /** Text key. */
  title: string
  /** URL of the export. */
  exportUrl: string
}

/** A report's title, its time zone, and the export button. */
export function ReportHead({ title, exportUrl }: Props) {
  const { t } = useText()
  const { timezone } = useSettings()
  return (
    <PageHead
      title={t(title)}
      lead={
        <>
          {t('dashboard.zone')} <bdi dir="ltr">{timezone.replaceAll('_', ' ')}</bdi>
        </>
      }
    >
      <a className={buttonClass({ variant: 'secondary' })} href={exportUrl} download>
        <IconDownload size={19} aria-hidden />
        {t('table.export')}
      </a>
    </PageHead>
  )
}
