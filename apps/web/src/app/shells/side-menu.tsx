import { IconChevronDown, IconLogout } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { AlertBadge, useToDoName } from '../../entities/alerts/alert-badge.tsx'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import type { MenuEntry, MenuSection } from '../menu.ts'
import { menuIcons } from './menu-icons.ts'
import classes from './side-menu.module.css'
import { useSignOut } from './use-sign-out.ts'

interface Props {
  menu: readonly (MenuEntry | MenuSection)[]
  /** The number of open matters on each page. */
  toDo: ReadonlyMap<string, number>
  /** Called when a page is chosen. */
  onFollow?: (() => void) | undefined
}

type Opened = Partial<Record<string, boolean>>
const isOpened = (stored: unknown): stored is Opened =>
  typeof stored === 'object' &&
  stored !== null &&
  Object.values(stored).every((one) => typeof one === 'boolean')

/** The admin pages in collapsible groups, whose state is remembered, with a sign-out button at the end. */
export function SideMenu({ menu, toDo, onFollow }: Props) {
  const { t } = useText()
  const { leave, leaving } = useSignOut()
  const { pathname } = useLocation()
  const [opened, setOpened] = useStoredState<Opened>('hansom-menu-groups', {}, isOpened)
  const current = menu.find(
    (node): node is MenuSection => 'group' in node && node.entries.some(({ path }) => path === pathname),
  )?.group

  // Runs on every navigation: the user may have collapsed the group of the current page.
  useEffect(() => {
    if (current) setOpened((before) => (before[current] ? before : { ...before, [current]: true }))
  }, [current, pathname, setOpened])

  return (
    <nav className={classes.menu} aria-label={t('common.main_menu')}>
      <ul className={classes.list}>
        {menu.map((node) =>
          'group' in node ? (
            <Section
              key={node.group}
              section={node}
              toDo={toDo}
              open={opened[node.group] ?? false}
              onToggle={() => setOpened({ ...opened, [node.group]: !opened[node.group] })}
              onFollow={onFollow}
            />
          ) : (
            <li key={node.path}>
              <Entry entry={node} toDo={toDo.get(node.path)} onFollow={onFollow} />
            </li>
          ),
        )}
        <li>
          <button
            type="button"
            className={classes.entry}
            aria-busy={leaving || undefined}
            onClick={() => void leave()}
          >
            <IconLogout size={20} stroke={1.6} className={classes.mirrored} aria-hidden />
            <span>{t('common.sign_out')}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}

interface EntryProps {
  entry: MenuEntry
  toDo?: number | undefined
  onFollow?: (() => void) | undefined
}

function Entry({ entry, toDo = 0, onFollow }: EntryProps) {
  const { t } = useText()
  const toDoName = useToDoName()
  const Icon = menuIcons[useSettings().category][entry.icon]
  return (
    <Link
      to={entry.path}
      className={classes.entry}
      activeOptions={{ exact: entry.path === '/', includeSearch: false }}
      aria-label={toDo > 0 ? toDoName(t(entry.label), toDo) : undefined}
      onClick={onFollow}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={classes.label}>{t(entry.label)}</span>
      {toDo > 0 ? <ToDo count={toDo} /> : null}
    </Link>
  )
}

/** The space separates the number from the name, for those who read the text. */
const ToDo = ({ count }: { count: number }) => (
  <>
    {' '}
    <span className={classes.toDo}>
      <AlertBadge count={count} />
    </span>
  </>
)

interface SectionProps {
  section: MenuSection
  toDo: ReadonlyMap<string, number>
  open: boolean
  onToggle: () => void
  onFollow?: (() => void) | undefined
}

function Section({ section, toDo, open, onToggle, onFollow }: SectionProps) {
  const { t } = useText()
  const toDoName = useToDoName()
  const id = useId()
  const Icon = menuIcons[useSettings().category][section.icon]
  // An open group shows the numbers of its pages instead.
  const hidden = open ? 0 : section.entries.reduce((sum, { path }) => sum + (toDo.get(path) ?? 0), 0)
  return (
    <li>
      <button
        type="button"
        className={classes.entry}
        aria-expanded={open}
        aria-controls={id}
        aria-label={hidden > 0 ? toDoName(t(section.label), hidden) : undefined}
        onClick={onToggle}
      >
        <Icon size={20} stroke={1.6} aria-hidden />
        <span className={classes.label}>{t(section.label)}</span>
        {hidden > 0 ? <ToDo count={hidden} /> : null}
        <IconChevronDown size={16} stroke={1.8} className={classes.chevron} aria-hidden />
      </button>
      <ul id={id} className={classes.nested} hidden={!open}>
        {section.entries.map((entry) => (
          <li key={entry.path}>
            <Entry entry={entry} toDo={toDo.get(entry.path)} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </li>
  )
}
