import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface Props {
  /** There are unsaved changes. */
  active: boolean
  /** Changing the search parameters discards the changes too. */
  views?: boolean
}

/** Asks for confirmation before the user leaves a page with unsaved changes. */
export function LeaveGuard({ active, views = false }: Props) {
  const { status, proceed, reset } = useBlocker({
    // A link within the page is harmless, unless it shows another view.
    shouldBlockFn: ({ current, next }) =>
      active &&
      (current.pathname !== next.pathname ||
        (views && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: () => active,
    withResolver: true,
  })
  return <LeaveDialog open={status === 'blocked'} onStay={() => reset?.()} onLeave={() => proceed?.()} />
}

/** Asks whether unsaved changes may be discarded. */
export function LeaveDialog({
  open,
  onStay,
  onLeave,
}: {
  open: boolean
  onStay: () => void
  onLeave: () => void
}) {
  const { t } = useText()
  const stay = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onStay}
      initialFocus={stay}
      role="alertdialog"
      // A blocked Back has already changed the URL.
      hasEntry={false}
      title={t('form.leave_title')}
      hideClose
      footer={
        <DialogButtons>
          <Button variant="danger" onClick={onLeave}>
            {t('form.leave')}
          </Button>
          <Button ref={stay} variant="primary" onClick={onStay}>
            {t('form.stay')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('form.leave_text')}</p>
    </Dialog>
  )
}
