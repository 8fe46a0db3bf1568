import type { DriverEarning } from '@hansom/contract/reports'
import { useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'

/** A driver's name; one who is gone has none. */
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
