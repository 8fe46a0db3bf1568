import { parseErrorResponse } from '@hansom/client/api-error'
import type { Session } from '@hansom/client/session'

/** Requests that are not calls of the typed API: forms and images. Redirects are not followed. */
export type SignedInFetch = (
  path: string,
  init: { method: 'POST' | 'PUT'; body: BodyInit },
) => Promise<Response>

/** Sends requests to the server in the name of a session. Throws an ApiError for a refusal. */
export function signedInFetch(url: string, session: Session): SignedInFetch {
  return async (path, init) => {
    const headers = { authorization: `Bearer ${await session.token()}` }
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' })
    if (response.status < 400) return response
    throw parseErrorResponse(await response.json().catch(() => null), response.status)
  }
}

/** Uploads an image to a path of the API. */
export async function uploadImage(send: SignedInFetch, path: string, image: Uint8Array): Promise<void> {
  const body = new FormData()
  body.set('image', new Blob([new Uint8Array(image)], { type: 'image/png' }))
  await send(path, { method: 'PUT', body })
}
