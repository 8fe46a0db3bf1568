import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import { seededRandom } from '../demo/history-plan.ts'

/** First names, most common first. */
export const firstNames =
  words(`María Juan Lucía Martín Valentina Diego Camila Federico Florencia Nicolás Agustina
  Gonzalo Sofía Mateo Carolina Andrés Natalia Pablo Victoria Rodrigo Micaela Sebastián Paula Ignacio Romina Álvaro
  Cecilia Bruno Inés Tomás Julieta Emiliano Verónica Hernán Mónica Óscar Silvia Ramiro Ángela Esteban Lorena Fabián
  Noelia Gastón Elena Joaquín Rocío Leandro Adriana Marcos Belén Ezequiel Irene Julio Mariana Néstor Olga Rubén Teresa
  Ulises Ximena Yolanda Zulema Wilson`)

/** Last names, most common first. */
export const lastNames =
  words(`Rodríguez González Fernández Pereira Silva Martínez Sosa García López Pérez Techera
  Olivera Bentancor Cabrera Ferreira Acosta Viera Suárez Méndez Núñez Rivero Correa Álvarez Díaz Castro Gómez Hernández
  Machado Medina Moreira Olmedo Peña Quiroga Ramos Rocha Ruiz Santos Tejera Umpiérrez Vázquez Varela Vidal Zabala Yáñez
  Alonso Barreto Bonilla Brum Cardozo Chávez Cuadro Delgado Duarte Echeverría Franco Giménez Guerra Ibarra Jaurena Larrosa
  Lemos Maciel Morales Nieves Ortiz Pintos Quintana Rosas Saldívar Tabárez Urrutia Velázquez Wilkins Zunino`)

/** Streets, longest first. */
export const streets = `
  Avenida Italia, Avenida 8 de Octubre, Avenida 18 de Julio, Bulevar Artigas, Avenida Rivera, Avenida
  General Flores, Camino Maldonado, Avenida Agraciada, Bulevar España, Avenida Brasil, Avenida Millán,
  Rambla República de México, Avenida San Martín, Canelones, Colonia, Mercedes, Soriano, Maldonado,
  Durazno, Paysandú, Uruguay, Cerro Largo, Ejido, Yaguarón, Cuareim, Andes, Convención, Juan Carlos Gómez,
  Ituzaingó, Zabala, Pérez Castellano, Sarandí, Rincón, Joaquín Suárez, Luis Alberto de Herrera, Jaime
  Zudáñez, Ellauri, Benito Blanco, Arocena, Gabriela Mistral, Comercio, Propios, Cufré, Garibaldi, Monte
  Caseros, Asilo, Larrañaga`
  .trim()
  .replace(/\s+/g, ' ')
  .split(', ')

/** Quarters with their center. */
const quarters: readonly (LatLng & { name: string })[] = [
  { name: 'Centro', lat: -34.9055, lng: -56.186 },
  { name: 'Ciudad Vieja', lat: -34.9065, lng: -56.204 },
  { name: 'Pocitos', lat: -34.91, lng: -56.1503 },
  { name: 'Punta Carretas', lat: -34.9236, lng: -56.1586 },
  { name: 'Buceo', lat: -34.9036, lng: -56.1364 },
  { name: 'Malvín', lat: -34.8935, lng: -56.1055 },
  { name: 'Carrasco', lat: -34.8835, lng: -56.0587 },
  { name: 'La Blanqueada', lat: -34.8851, lng: -56.1478 },
  { name: 'Tres Cruces', lat: -34.8938, lng: -56.1663 },
  { name: 'Prado', lat: -34.8607, lng: -56.2036 },
  { name: 'Unión', lat: -34.8735, lng: -56.1372 },
  { name: 'Cordón', lat: -34.9015, lng: -56.1775 },
]

/** A route through the city, shared by many trips; only the street number is added to its addresses. */
export interface CityRoute {
  from: LatLng & { street: string; quarter: string }
  to: LatLng & { street: string; quarter: string }
  route: string
  km: number
}

const kmPerDegree = 111.2
const detour = 1.3

/** Plans routes between the quarters, the same each time. */
export function planCityRoutes(count: number): CityRoute[] {
  const chance = seededRandom(2026)
  const pick = <T>(list: readonly T[], power = 1): T => list[Math.floor(list.length * chance() ** power)] as T
  const place = () => {
    const { name, lat, lng } = pick(quarters, 1.4)
    const near = () => (chance() - 0.5) * 0.018
    return { lat: lat + near(), lng: lng + near(), street: pick(streets, 1.6), quarter: name }
  }
  return Array.from({ length: count }, () => {
    const [from, to] = [place(), place()]
    const points = Array.from({ length: 24 }, (_, step) => {
      const share = step / 23
      const offset = step === 0 || step === 23 ? 0 : (chance() - 0.5) * 0.002
      return {
        lat: from.lat + (to.lat - from.lat) * share + offset,
        lng: from.lng + (to.lng - from.lng) * share - offset,
      }
    })
    const straight = Math.hypot(to.lat - from.lat, (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180))
    return { from, to, route: encodePolyline(points), km: Math.max(0.8, straight * kmPerDegree * detour) }
  })
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
