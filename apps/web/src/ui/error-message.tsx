import { ApiError } from '@hansom/client/api-error'
import { type Translate, text, useText } from '../lib/i18n.ts'
import { isUnreached } from '../lib/load-error.ts'

/** The message for an error in the current language, without field errors. */
export function errorText(error: unknown, t: Translate = text): string {
  if (isUnreached(error)) return t(navigator.onLine ? 'error.Fetch Call Error' : 'error.offline')
  if (!(error instanceof ApiError)) return t('error.server_error')
  const params = Object.fromEntries(Object.entries(error.data).map(([name, value]) => [name, String(value)]))
  const main = t(`error.${error.key}`, params)
  return main === `error.${error.key}` ? t('error.server_error') : main
}

/** An error message, with the request id for server errors, or the `id` of an error that the page has reported itself. */
export function ErrorMessage({ error, id }: { error: unknown; id?: string | undefined }) {
  const { t } = useText()
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : id
  return (
    <>
      <span>{id === undefined ? errorText(error, t) : t('error.server_error')}</span>
      {requestId ? (
        <small style={{ display: 'block', color: 'var(--h-ink-3)', fontSize: 'var(--h-t-xs)' }}>
          {t('common.request_id')} <bdi dir="ltr">{requestId}</bdi>
        </small>
      ) : null}
    </>
  )
}
