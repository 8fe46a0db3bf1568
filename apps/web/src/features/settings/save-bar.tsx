import { IconCheck } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import classes from './settings-screen.module.css'
import type { SettingsForm } from './use-settings-form.ts'

/** How many changes wait, with saving and taking back; and that they are saved. */
export function SaveBar({ form }: { form: SettingsForm }) {
  const { t } = useText()
  const { changes, conflicts, saving, done } = form
  const isShown = changes > 0 || done === 'saved'
  return (
    <div className={classes.saveBar} data-shown={isShown || undefined}>
      <p role="status" className={classes.saveText}>
        {conflicts.length > 0 ? <a href="#conflict">{t('settings.conflict_title')}</a> : null}
        {changes > 0 && conflicts.length === 0 ? t('settings.unsaved', { count: changes }) : null}
        {changes === 0 && done === 'saved' ? (
          <>
            <IconCheck size={20} stroke={2} aria-hidden /> {t('settings.saved')}
          </>
        ) : null}
      </p>
      {changes > 0 ? (
        <>
          <Button onClick={form.reset} disabled={saving}>
            {t('settings.reset')}
          </Button>
          <Button type="submit" variant="primary" busy={saving} disabled={conflicts.length > 0}>
            {t('settings.save')}
          </Button>
        </>
      ) : null}
    </div>
  )
}
