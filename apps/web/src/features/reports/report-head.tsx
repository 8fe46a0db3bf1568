import { IconDownload } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import classes from './reports.module.css'

interface Props {
  /** Text key. */
  title: string
  /** Address of the file. */
  exportUrl: string
}

/** The name of a report, whose days it has, and the report as a file. */
export function ReportHead({ title, exportUrl }: Props) {
  const { t } = useText()
  const { timezone } = useSettings()
  return (
    <header className={classes.head}>
      <div>
        <h1 className={classes.title}>{t(title)}</h1>
        <p className={classes.quiet}>
          {t('reports.zone')} <bdi dir="ltr">{timezone.replaceAll('_', ' ')}</bdi>
        </p>
      </div>
      <a className={buttonClass({ variant: 'secondary' })} href={exportUrl} download>
        <IconDownload size={19} aria-hidden />
        {t('table.export')}
      </a>
    </header>
  )
}
