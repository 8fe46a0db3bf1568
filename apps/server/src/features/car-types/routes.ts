import type { CarType } from '@hansom/contract/car-types'
import type { Os } from '../../platform/http/implement.ts'
import type { CarTypeRow, CarTypesService } from './service.ts'

export function carTypesRoutes(os: Os, carTypes: CarTypesService) {
  return {
    list: os.carTypes.list.handler(async () => (await carTypes.list()).map(carTypeView)),
  }
}

/** A car type as everybody sees it. */
export function carTypeView(row: CarTypeRow): CarType {
  const { position: _position, createdAt: _createdAt, version: _version, ...shown } = row
  return shown
}
