import { useEffect } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import panel from '../../ui/panel.module.css'
import classes from './reports.module.css'

interface Props {
  failed: boolean
  onLoad: () => void
}

/** Where rows are still to be loaded: coming into sight, it asks for them; after a failure it waits to be told. */
export function LoadMore({ failed, onLoad }: Props) {
  const { t } = useText()
  useEffect(() => {
    if (!failed) onLoad()
  }, [failed, onLoad])
  if (!failed) return <span className={panel.quiet}>{t('reports.loading_more')}</span>
  return (
    <span className={classes.failed}>
      {t('reports.not_loaded')}
      <Button
        size="small"
        variant="quiet"
        onClick={(event) => {
          event.stopPropagation()
          onLoad()
        }}
      >
        {t('common.retry')}
      </Button>
    </span>
  )
}
