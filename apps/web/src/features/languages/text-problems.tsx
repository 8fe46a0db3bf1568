import type { TextProblem } from '@hansom/domain/languages/check-texts'
import { isolated } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Notice } from '../../ui/notice.tsx'
import classes from './languages.module.css'

const most = 12

/** What is wrong with texts, by their keys. */
export function TextProblems({
  title,
  problems,
  tone,
}: {
  title: string
  problems: readonly TextProblem[]
  tone: 'bad' | 'plain'
}) {
  const { t } = useText()
  if (problems.length === 0) return null
  return (
    <Notice tone={tone}>
      <p>{title}</p>
      <ul className={classes.problems}>
        {problems.slice(0, most).map((one) => (
          <li key={`${one.key} ${one.problem}`}>
            <bdi dir="ltr" className={classes.key}>
              {one.key}
            </bdi>{' '}
            {t(`language.problem_${one.problem}`, {
              names: 'names' in one ? isolated(one.names.join(', ')) : '',
            })}
          </li>
        ))}
      </ul>
      {problems.length > most ? (
        <p>{t('language.more_problems', { count: problems.length - most })}</p>
      ) : null}
    </Notice>
  )
}
