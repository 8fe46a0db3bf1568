import { useBlocker } from '@tanstack/react-router'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface Props {
  /** There is something to lose. */
  active: boolean
  /** Another view at the same address loses it as well. */
  views?: boolean
}

/** Asks before the page is left with changes that are not saved. */
export function LeaveGuard({ active, views = false }: Props) {
  const { t } = useText()
  const { status, proceed, reset } = useBlocker({
    // A link within the page leaves nothing behind, unless it shows another view.
    shouldBlockFn: ({ current, next }) =>
      active &&
      (current.pathname !== next.pathname ||
        (views && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: () => active,
    withResolver: true,
  })
  return (
    <Dialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      role="alertdialog"
      title={t('settings.leave_title')}
      hideClose
      footer={
        <DialogButtons>
          <Button variant="danger" onClick={() => proceed?.()}>
            {t('settings.leave')}
          </Button>
          <Button variant="primary" onClick={() => reset?.()}>
            {t('settings.stay')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('settings.leave_text')}</p>
    </Dialog>
  )
}
