/** The people of the sample data. Their addresses are below example.com and example.org, which nobody owns (RFC 2606). */

/** Companies with their domain and city. */
const COMPANIES = [
  ['Fernhill Bakery', 'fernhill.example.com', 'Bristol'],
  ['Ostrava Studio', 'ostrava-studio.example.com', 'Brno'],
  ['Northgate Books', 'northgate.example.org', 'York'],
  ['Casa Lumen', 'casa-lumen.example.com', 'Valencia'],
  ['Tidewater Rowing Club', 'tidewater.example.org', 'Cork'],
  ['Hollis & Ames', 'hollis-ames.example.com', 'Boston'],
  ['Kestrel Bikes', 'kestrel-bikes.example.com', 'Utrecht'],
  ['Maple Row Dental', 'maple-row.example.com', 'Toronto'],
] as const

const NAMES = [
  'Maya Chen',
  'Tomáš Dvořák',
  'Eleanor Whitlock',
  'Lucía Ferrer',
  'Declan Moran',
  'Priya Raman',
  'Sanne de Vries',
  'Owen Tremblay',
  'Amara Okafor',
  'Petra Novotná',
  'Hugo Marsh',
  'Inés Calvo',
  'Aoife Brennan',
  'Marcus Reed',
  'Joris Bakker',
  'Chloe Martin',
  'Daniel Osei',
  'Jana Horáková',
  'Ruth Ellison',
  'Mateo Vidal',
  'Niamh Daly',
  'Grace Lindholm',
  'Femke Visser',
  'Samir Haddad',
  'Beatrice Lowe',
  'Ondřej Malý',
  'Clara Penrose',
  'Andrés Soler',
  'Sean Gallagher',
  'Naomi Fields',
  'Bram Jansen',
  'Yuki Tanaka',
  'Leah Fontaine',
  'Radek Kučera',
  'Simon Ashby',
  'Marta Ribes',
  'Orla Keane',
  'Victor Hale',
  'Lotte Smit',
  'Zoe Bouchard',
] as const

export interface SamplePerson {
  email: string
  name: string
  attributes: { company: string; city: string }
}

const toLocalPart = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')

/** Every person of the sample data, always the same ones. */
export const PEOPLE: readonly SamplePerson[] = NAMES.map((name, n) => {
  const [company, domain, city] = COMPANIES[n % COMPANIES.length] ?? COMPANIES[0]
  return { email: `${toLocalPart(name)}@${domain}`, name, attributes: { company, city } }
})
