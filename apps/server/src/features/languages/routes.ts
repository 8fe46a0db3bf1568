import type { Os } from '../../platform/http/implement.ts'
import type { LanguagesService } from './service.ts'

export function languagesRoutes(os: Os, languages: LanguagesService) {
  return {
    list: os.languages.list.handler(() => languages.list()),
    pack: os.languages.pack.handler(({ input }) => languages.pack(input.locale)),
  }
}
