/** How likely a search means a place of this kind, 0 to 1, by tag; `*` is any other value. The first match wins. */
const importance: Record<string, Record<string, number>> = {
  place: {
    city: 1,
    town: 0.9,
    municipality: 0.85,
    borough: 0.85,
    suburb: 0.85,
    village: 0.8,
    quarter: 0.75,
    neighbourhood: 0.75,
    square: 0.6,
    hamlet: 0.5,
    locality: 0.5,
    island: 0.5,
    isolated_dwelling: 0.4,
    farm: 0.35,
    islet: 0.3,
  },
  aeroway: { aerodrome: 1, terminal: 0.9, heliport: 0.5 },
  railway: { station: 0.7, halt: 0.4, tram_stop: 0.3 },
  public_transport: { station: 0.6 },
  aerialway: { station: 0.4 },
  amenity: {
    hospital: 0.9,
    bus_station: 0.9,
    ferry_terminal: 0.85,
    university: 0.75,
    theatre: 0.65,
    marketplace: 0.6,
    clinic: 0.55,
    embassy: 0.5,
    cinema: 0.5,
    school: 0.45,
    college: 0.45,
    place_of_worship: 0.4,
    police: 0.45,
    courthouse: 0.5,
    townhall: 0.55,
    conference_centre: 0.5,
    taxi: 0.4,
    library: 0.45,
    fuel: 0.35,
    bank: 0.35,
    restaurant: 0.35,
    '*': 0.3,
  },
  tourism: {
    museum: 0.65,
    hotel: 0.55,
    attraction: 0.6,
    zoo: 0.65,
    theme_park: 0.6,
    hostel: 0.45,
    viewpoint: 0.45,
    '*': 0.35,
  },
  leisure: {
    stadium: 0.8,
    park: 0.65,
    golf_course: 0.55,
    sports_centre: 0.45,
    marina: 0.5,
    garden: 0.4,
    '*': 0.3,
  },
  natural: { beach: 0.75, cape: 0.4, water: 0.35 },
  shop: { mall: 0.85, department_store: 0.5, supermarket: 0.45, '*': 0.3 },
  historic: { '*': 0.4 },
  landuse: {
    cemetery: 0.5,
    military: 0.35,
    recreation_ground: 0.35,
    retail: 0.45,
    industrial: 0.3,
    residential: 0.35,
  },
  office: { government: 0.4, '*': 0.28 },
  man_made: { lighthouse: 0.5, pier: 0.35, works: 0.3 },
  craft: { '*': 0.25 },
  healthcare: { '*': 0.35 },
  club: { '*': 0.3 },
  mountain_pass: { yes: 0.35 },
  highway: { pedestrian: 0.5, services: 0.45, rest_area: 0.35 },
  building: { '*': 0.25 },
}

/** A named place's tag value and importance; null for places that no one rides to. */
export function placeImportance(tags: Record<string, string>): { kind: string; importance: number } | null {
  if (tags['aerodrome:type'] === 'military') return { kind: 'military', importance: 0.35 }
  for (const key in importance) {
    const value = tags[key]
    if (value === undefined || value === 'no') continue
    const found = importance[key]?.[value] ?? importance[key]?.['*']
    if (found !== undefined) return { kind: value === 'yes' ? key : value, importance: found }
  }
  return null
}
