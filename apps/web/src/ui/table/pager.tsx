import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import classes from './toolbar.module.css'

interface Props {
  page: number
  pageSize: number
  /** Number of loaded rows. */
  known: number
  total: number | null
  hasMore: boolean
  onPage: (page: number) => void
}

/** Previous and next buttons with the current range. */
export function Pager({ page, pageSize, known, total, hasMore, onPage }: Props) {
  const { t, language } = useText()
  const format = useFormat()
  const from = page * pageSize + 1
  const to = Math.min(known, (page + 1) * pageSize)
  const further = hasMore || known > (page + 1) * pageSize
  if (page === 0 && !further) return null
  const [Back, On] =
    language.direction === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  return (
    <nav className={classes.pager} aria-label={t('table.pages')}>
      <span>
        {t(total === null ? 'table.range' : 'table.range_of', {
          from: format.number(from),
          to: format.number(to),
          total: total === null ? '' : format.number(total),
        })}
      </span>
      <Button
        size="icon"
        variant="quiet"
        aria-label={t('table.page_before')}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        <Back size={20} aria-hidden />
      </Button>
      <Button
        size="icon"
        variant="quiet"
        aria-label={t('table.page_after')}
        disabled={!further}
        onClick={() => onPage(page + 1)}
      >
        <On size={20} aria-hidden />
      </Button>
    </nav>
  )
}
