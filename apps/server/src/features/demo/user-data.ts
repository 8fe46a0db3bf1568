/** Names invented for the demo from first and last names that are common in Uruguay. */
const firstNames = `
  Lucía Martín Valentina Diego Camila Federico Florencia Nicolás Agustina Gonzalo Sofía
  Mateo Carolina Andrés Natalia Pablo Victoria Rodrigo Micaela Sebastián Paula Ignacio Romina`
  .trim()
  .split(/\s+/)
const lastNames = `
  Rodríguez González Fernández Pereira Silva Martínez Sosa Techera Olivera
  Bentancor Cabrera Ferreira Acosta Viera Suárez Méndez Núñez Rivero Correa`
  .trim()
  .split(/\s+/)

/** The name of the demo's `number`th person, from 1; the same number always gives the same name. */
export function demoName(number: number): { firstName: string; lastName: string } {
  return {
    firstName: firstNames[(number * 7) % firstNames.length] ?? '',
    lastName: lastNames[(number * 5) % lastNames.length] ?? '',
  }
}

import type { Settings } from '@hansom/domain/settings/settings'

export interface Vehicle {
  vehicleMake: string
  vehicleModel: string
  other_info: string
}

const vehicle = (vehicleMake: string, vehicleModel: string, other_info: string): Vehicle => ({
  vehicleMake,
  vehicleModel,
  other_info,
})

/** By car type name. */
const vehicles: Readonly<Record<string, readonly Vehicle[]>> = {
  Economy: [
    vehicle('Suzuki', 'Celerio', 'White'),
    vehicle('Chevrolet', 'Onix', 'Silver'),
    vehicle('Hyundai', 'HB20', 'Grey'),
    vehicle('Renault', 'Kwid', 'Red'),
    vehicle('Fiat', 'Cronos', 'Blue'),
  ],
  Comfort: [
    vehicle('Toyota', 'Corolla', 'Black'),
    vehicle('Volkswagen', 'Virtus', 'Silver'),
    vehicle('Nissan', 'Sentra', 'Dark blue'),
  ],
  Electric: [vehicle('BYD', 'Dolphin', 'Turquoise'), vehicle('BYD', 'Yuan Plus', 'White')],
  Van: [vehicle('Hyundai', 'Staria', 'Grey'), vehicle('Peugeot', 'Traveller', 'White')],
  Moto: [vehicle('Honda', 'CG 160', 'Red'), vehicle('Yamaha', 'YBR 125', 'Blue')],
  Bicycle: [vehicle('Giant', 'Escape', 'Black'), vehicle('Trek', 'FX', 'Green')],
  Motorbike: [vehicle('Honda', 'CG 160', 'Red'), vehicle('Yamaha', 'YBR 125', 'Blue')],
  'Cargo bike': [vehicle('Urban Arrow', 'Cargo', 'Grey'), vehicle('Babboe', 'Pro', 'White')],
  'Small van': [vehicle('Fiat', 'Fiorino', 'White'), vehicle('Renault', 'Kangoo', 'Silver')],
}

/** A delivery's van is another one than a taxi's. */
const cargoVans = [vehicle('Mercedes-Benz', 'Sprinter', 'White'), vehicle('Fiat', 'Ducato', 'Grey')]

/** The repeating sequence of the drivers' car types: most drive the types that most riders choose. */
const share = [
  'Economy',
  'Comfort',
  'Economy',
  'Electric',
  'Economy',
  'Moto',
  'Comfort',
  'Van',
  'Economy',
  'Comfort',
]

const deliveryShare = [
  'Motorbike',
  'Bicycle',
  'Small van',
  'Motorbike',
  'Cargo bike',
  'Motorbike',
  'Bicycle',
  'Van',
  'Small van',
]

/** The vehicle of the `number`th driver, from 1; plates have Montevideo's format. */
export function demoCar(
  number: number,
  category: Settings['category'],
): Vehicle & { carType: string; vehicleNumber: string } {
  const types = category === 'delivery' ? deliveryShare : share
  const carType = types[(number - 1) % types.length] as string
  const isCargoVan = category === 'delivery' && carType === 'Van'
  const choices = isCargoVan ? cargoVans : (vehicles[carType] ?? [])
  const car = choices[number % choices.length] ?? vehicle('Suzuki', 'Celerio', 'White')
  const letters = String.fromCharCode(65 + ((number * 3) % 26), 65 + ((number * 11) % 26))
  return { ...car, carType, vehicleNumber: `S${letters} ${1000 + ((number * 137) % 9000)}` }
}
