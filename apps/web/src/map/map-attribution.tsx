import { useText } from '../lib/i18n.ts'
import classes from './map.module.css'

const copyrightPage = 'https://www.openstreetmap.org/copyright'

/** Map data attribution. The licence requires it, so it is never collapsed. */
export function MapAttribution() {
  const { t } = useText()
  return (
    <a dir="auto" className={classes.attribution} href={copyrightPage} target="_blank" rel="noreferrer">
      {t('map.attribution')}
    </a>
  )
}
