import { useText } from '../lib/i18n.ts'
import classes from './map.module.css'

const copyrightPage = 'https://www.openstreetmap.org/copyright'

/** Whose data the map is. The licence asks for it, so it is never folded away. */
export function MapAttribution() {
  const { t } = useText()
  return (
    <a dir="auto" className={classes.attribution} href={copyrightPage} target="_blank" rel="noreferrer">
      {t('map.attribution')}
    </a>
  )
}
