import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Maps } from '../../adapters/maps/port.ts'

const foreverSeconds = 31_536_000

/**
 * The base map: `/api/v1/tiles.json` (TileJSON 3) contains the tiles' URL with their version, so that tiles can be
 * cached forever. A missing tile is 204.
 */
export function mountTiles(
  server: FastifyInstance,
  maps: Pick<Maps, 'tile' | 'tileVersion' | 'tileZooms' | 'region'>,
  publicUrl: string | undefined,
  perMinute: number,
): void {
  const { region, tileVersion, tileZooms } = maps
  const own = { config: { rateLimit: { max: perMinute, groupId: 'tiles' } } }

  server.get('/api/v1/tiles.json', async (request, reply) => {
    // Ignores forwarded headers: a local proxy may pass on values set by a visitor.
    const origin = publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`
    return reply.header('cache-control', 'no-cache').send({
      tilejson: '3.0.0',
      name: region.name,
      attribution: region.attribution,
      scheme: 'xyz',
      tiles: [`${origin}/api/v1/tiles/${encodeURIComponent(tileVersion)}/{z}/{x}/{y}.mvt`],
      minzoom: tileZooms.min,
      maxzoom: tileZooms.max,
      bounds: region.bounds,
      center: [region.center.lng, region.center.lat, 12],
    })
  })

  server.get<TileAddress>('/api/v1/tiles/:version/:z/:x/:y.mvt', own, async (request, reply) => {
    const { z, x, y } = tileNumbers(request)
    const current = request.params.version === tileVersion
    reply.header('cache-control', current ? `public, max-age=${foreverSeconds}, immutable` : 'no-cache')
    const tile = await maps.tile(z, x, y)
    if (tile === null) return reply.status(204).send()
    return reply
      .header('content-type', 'application/vnd.mapbox-vector-tile')
      .header('content-encoding', 'gzip')
      .header('vary', 'accept-encoding')
      .send(Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength))
  })
}

interface TileAddress {
  Params: { version: string; z: string; x: string; y: string }
}

function tileNumbers(request: FastifyRequest<TileAddress>) {
  const [z, x, y] = [request.params.z, request.params.x, request.params.y].map((text) =>
    /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN,
  ) as [number, number, number]
  if (!(z <= 24 && x < 2 ** z && y < 2 ** z)) throw new Refusal('not_found')
  return { z, x, y }
}
