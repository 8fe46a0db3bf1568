import type { SettingValues } from '@hansom/domain/settings/fields'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import classes from './settings-screen.module.css'
import { typedOf } from './typed-values.ts'
import { useFieldWords } from './use-field-words.ts'
import type { SettingsForm } from './use-settings-form.ts'

/** Fields that somebody else has saved while they were changed here: both values, to choose from. */
export function ConflictPanel({ form }: { form: SettingsForm }) {
  const { t } = useText()
  const words = useFieldWords(form)
  if (form.conflicts.length === 0) return null
  return (
    <section id="conflict" className={classes.conflict} aria-labelledby="conflict-title" role="alert">
      <h2 id="conflict-title">{t('settings.conflict_title')}</h2>
      <p>{t('settings.conflict_text')}</p>
      <ul className={classes.conflictList}>
        {form.conflicts.map(({ name, theirs }) => {
          const label = words.label(name)
          const other = typedOf(name, theirs as SettingValues[typeof name])
          return (
            <li key={name} className={classes.conflictRow}>
              <h3>{label}</h3>
              <div className={classes.choice}>
                <span>{t('settings.conflict_mine')}</span>
                <bdi>{words.value(name, form.shown(name))}</bdi>
                <Button size="small" onClick={() => form.decide(name, true)}>
                  {t('settings.keep_mine')}
                </Button>
              </div>
              <div className={classes.choice}>
                <span>{t('settings.conflict_theirs')}</span>
                <bdi>{words.value(name, other)}</bdi>
                <Button size="small" onClick={() => form.decide(name, false)}>
                  {t('settings.take_theirs')}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
