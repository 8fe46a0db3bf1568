import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Epoch ms with fractions, comparable between the processes of one machine. */
const now = () => performance.timeOrigin + performance.now()

/** A push service that accepts everything: it sends its parent the path and the time of each request. */
const server = createServer((request, response) => {
  const at = now()
  request.resume()
  request.on('end', () => {
    response.writeHead(201).end()
    process.send?.({ path: request.url, at })
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))
