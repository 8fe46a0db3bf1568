import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './driver.module.css'

/** The steps that require a confirmation far from their place. */
export type PlacedStep = 'arrive' | 'reach'

interface Props {
  step: PlacedStep
  /** Distance from the driver to the pickup or drop. */
  km: number
  onConfirm: () => void
  onClose: () => void
}

/** Asks a driver who is far from the pickup or drop for confirmation. */
export function FarDialog({ step, km, onConfirm, onClose }: Props) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={onClose}
      title={t(`driver.far_title_${step}`, { distance: isolated(format.distance(km)) })}
      footer={
        <>
          <Button variant="primary" wide onClick={onClose}>
            {t('driver.far_keep')}
          </Button>
          <Button wide onClick={onConfirm}>
            {t(`driver.far_confirm_${step}`)}
          </Button>
        </>
      }
    >
      <p className={classes.meta}>{t(`driver.far_text_${step}`)}</p>
    </Dialog>
  )
}
