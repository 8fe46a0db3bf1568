import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'

/** Asked before critical edits are switched off: no page switches them on again. */
export function CloseEditsDialog({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const { t } = useText()
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={t('settings.close_edits_title')}
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="danger" onClick={onConfirm}>
            {t('settings.close_edits')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('settings.close_edits_text')}</p>
    </Dialog>
  )
}
