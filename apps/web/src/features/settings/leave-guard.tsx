import { useBlocker } from '@tanstack/react-router'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'

/** Asks before the page is left with changes that are not saved. */
export function LeaveGuard({ active }: { active: boolean }) {
  const { t } = useText()
  const { status, proceed, reset } = useBlocker({
    // A link within the page leaves nothing behind.
    shouldBlockFn: ({ current, next }) => active && current.pathname !== next.pathname,
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
