import { expect, it, vi } from 'vitest'
import { uploadPicture } from './upload.ts'

/** The request of the upload that is in progress. */
let request: FakeRequest

class FakeRequest {
  timeout = 0
  upload = {}
  status = 0
  response: unknown = null
  onload = () => {}
  onerror = () => {}
  ontimeout = () => {}
  onabort = () => {}
  open() {}
  send() {
    request = this
  }
}

function start() {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return uploadPicture('POST', '/api/v1/uploads/licence', new File(['x'], 'x.png'), () => {})
}

it.each(['onerror', 'ontimeout', 'onabort'] as const)('upload: %s -> Fetch Call Error', async (event) => {
  const upload = start()
  request[event]()
  await expect(upload).rejects.toMatchObject({ key: 'Fetch Call Error', status: 0 })
})

it('upload: no response in two minutes -> times out', () => {
  void start()
  expect(request.timeout).toBe(120_000)
})

it('upload: accepted -> the response', async () => {
  const upload = start()
  Object.assign(request, { status: 201, response: { uploadId: 'u1' } })
  request.onload()
  expect(await upload).toEqual({ uploadId: 'u1' })
})
