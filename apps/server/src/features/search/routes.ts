import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { SearchService } from './service.ts'

export function searchRoutes(os: Os, search: SearchService) {
  return {
    find: os.search.find
      .use(signedIn)
      .handler(({ context: { viewer }, input }) => search.find(viewer, input.q)),
  }
}
