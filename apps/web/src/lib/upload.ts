import { ApiError, parseErrorResponse } from '@hansom/client/api-error'
import { ownAnswer } from './api.ts'

/** Accepted picture types; the server checks them again. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp']
export const maxPictureBytes = 8 * 1024 * 1024
/** Progress when all is sent and the server is still reading the picture. */
const beforeAnswer = 0.99

/** Why a file is rejected as a picture, or null. */
export function pictureProblem(file: {
  type: string
  size: number
}): 'unsupported_media' | 'too_large' | null {
  if (!pictureTypes.includes(file.type)) return 'unsupported_media'
  return file.size > maxPictureBytes ? 'too_large' : null
}

const uploadTimeoutMs = 120_000

/**
 * Uploads a picture as the form part `image` and reports progress from 0 to 1, which is reached only when the server has
 * accepted it. Resolves with the JSON response; rejects with an ApiError, also when aborted.
 */
export function uploadPicture(
  method: 'POST' | 'PUT',
  path: string,
  file: Blob,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<unknown> {
  const sent = new Promise((resolve, reject) => {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest()
    request.open(method, path)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total > 0 ? Math.min(loaded / total, beforeAnswer) : 0)
    request.timeout = uploadTimeoutMs
    const fail = () => reject(new ApiError('Fetch Call Error', 0))
    request.onerror = fail
    request.ontimeout = fail
    request.onabort = fail
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) {
        onProgress(1)
        resolve(request.response)
      } else reject(parseErrorResponse(request.response, request.status))
    }
    const form = new FormData()
    form.append('image', file)
    request.send(form)
    signal?.addEventListener('abort', () => request.abort())
  })
  return ownAnswer(sent)
}
