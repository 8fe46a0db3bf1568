declare module 'topojson-client' {
  /** An object of a topology as GeoJSON. */
  export function feature(
    topology: object,
    name: string,
  ): GeoJSON.FeatureCollection<GeoJSON.MultiPolygon | GeoJSON.Polygon>
}
