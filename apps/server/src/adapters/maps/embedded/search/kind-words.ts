/** Local words for kinds of places, so that "farmacia" finds a pharmacy whose name does not contain it. */
const kindWords: Record<string, string> = {
  aerodrome: 'aeropuerto',
  bakery: 'panaderia',
  bank: 'banco',
  bar: 'bar',
  beach: 'playa',
  bus_station: 'terminal de omnibus',
  butcher: 'carniceria',
  cafe: 'cafeteria',
  cemetery: 'cementerio',
  cinema: 'cine',
  clinic: 'clinica',
  embassy: 'embajada',
  fuel: 'estacion de servicio nafta',
  hairdresser: 'peluqueria',
  hardware: 'ferreteria',
  hospital: 'hospital sanatorio',
  hotel: 'hotel',
  library: 'biblioteca',
  mall: 'shopping centro comercial',
  museum: 'museo',
  park: 'parque',
  pharmacy: 'farmacia',
  place_of_worship: 'iglesia',
  police: 'comisaria policia',
  post_office: 'correo',
  restaurant: 'restaurante',
  school: 'escuela colegio liceo',
  stadium: 'estadio',
  station: 'estacion',
  supermarket: 'supermercado',
  theatre: 'teatro',
  university: 'universidad facultad',
  veterinary: 'veterinaria',
}

/** The local words for an OpenStreetMap tag value, or none. */
export function wordsForKind(kind: string): string[] {
  const found = kindWords[kind]
  return found === undefined ? [] : [found]
}
