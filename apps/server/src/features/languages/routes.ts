import { definedFields } from '@hansom/domain/defined'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { LanguagesService } from './service.ts'

export function languagesRoutes({ languages: os }: Os, languages: LanguagesService) {
  const { admin } = languages
  return {
    list: os.list.handler(() => languages.list()),
    pack: os.pack.handler(({ input }) => languages.pack(input.locale, input.texts?.split(','))),
    manage: os.manage.handler(() => languages.manage()),
    texts: os.texts.handler(({ input }) => languages.texts(input.locale)),
    create: os.create.use(signedIn).handler(({ context, input }) => admin.create(context.actor.id, input)),
    update: os.update
      .use(signedIn)
      .handler(({ context, input: { locale, version, ...names } }) =>
        admin.update(context.actor.id, locale, version, definedFields(names)),
      ),
    saveTexts: os.saveTexts
      .use(signedIn)
      .handler(({ context, input: { locale, version, texts } }) =>
        admin.saveTexts(context.actor.id, locale, version, texts),
      ),
    makeDefault: os.makeDefault
      .use(signedIn)
      .handler(({ context, input }) => admin.makeDefault(context.actor.id, input.locale)),
    remove: os.remove
      .use(signedIn)
      .handler(({ context, input }) => admin.remove(context.actor.id, input.locale)),
  }
}
