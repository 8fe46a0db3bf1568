import type { DriverEarning } from '@hansom/contract/reports'
import { useEffect } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import panel from '../../ui/panel.module.css'
import classes from './reports.module.css'

/** A driver's name, or a placeholder for a deleted driver. */
export function DriverName({ driver, withPlate = false }: { driver: DriverEarning; withPlate?: boolean }) {
  const { t } = useText()
  return (
    <>
      <bdi>{driver.driverName || t('reports.no_name')}</bdi>
      {withPlate && driver.driverVehicleNo ? (
        <>
          {' · '}
          <Plate driver={driver} />
        </>
      ) : null}
    </>
  )
}

export function Plate({ driver }: { driver: DriverEarning }) {
  return driver.driverVehicleNo ? <Ltr>{driver.driverVehicleNo}</Ltr> : null
}

/** The amounts of a driver's earnings, with their text keys; the first one is their total, next to the name. */
export const driverAmounts = [
  ['earned', 'reports.earned'],
  ['driverShare', 'reports.driver_share'],
  ['cancellationFees', 'reports.cancellation_fees'],
  ['bonus', 'reports.bonus'],
  ['refund', 'reports.refund'],
] as const satisfies readonly (readonly [keyof DriverEarning, string])[]
export type DriverSums = Pick<DriverEarning, 'total_rides' | (typeof driverAmounts)[number][0]>

interface Props {
  failed: boolean
  onLoad: () => void
}

/** Placeholder of rows not loaded yet: loads them when it becomes visible; after a failure, on click. */
export function LoadMore({ failed, onLoad }: Props) {
  const { t } = useText()
  useEffect(() => {
    if (!failed) onLoad()
  }, [failed, onLoad])
  if (!failed) return <span className={panel.quiet}>{t('reports.loading_more')}</span>
  return (
    <span className={classes.failed}>
      {t('reports.not_loaded')}
      <Button
        size="small"
        variant="quiet"
        onClick={(event) => {
          event.stopPropagation()
          onLoad()
        }}
      >
        {t('common.retry')}
      </Button>
    </span>
  )
}
