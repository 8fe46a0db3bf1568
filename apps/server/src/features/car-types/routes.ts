import type { Os } from '../../platform/http/implement.ts'
import { type CarTypesService, carTypeView } from './service.ts'

export function carTypesRoutes(os: Os, carTypes: CarTypesService) {
  return {
    list: os.carTypes.list.handler(async () => (await carTypes.list()).map(carTypeView)),
  }
}
