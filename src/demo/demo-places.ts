// Who and where the demo fleet is: real cities and streets, made-up people and businesses.
//
// Phone numbers come from the ranges that national regulators keep for films and books; where a country keeps
// none (Spain, Italy) nobody has a phone. `#` stands for a digit.
import type { CapacityUnit } from '../tanks/tank.entity.js';

export interface Spot {
  district: string;
  street: string;
  postal_code: string;
  latitude: number;
  longitude: number;
}

export interface Place {
  address: { city: string; region: string; country: string };
  unit: CapacityUnit;
  phone: string | null;
  households: readonly string[];
  businesses: readonly [farm: string, hotel: string, plant: string];
  spots: readonly [Spot, ...Spot[]];
}

const spot = (
  district: string,
  street: string,
  postal_code: string,
  latitude: number,
  longitude: number,
): Spot => ({ district, street, postal_code, latitude, longitude });

export const PLACES: readonly Place[] = [
  {
    address: { city: 'Munich', region: 'Bavaria', country: 'Germany' },
    unit: 'liters',
    phone: '+49 89 99998###',
    households: ['Anna Huber', 'Josef Brandl', 'Katharina Weiß'],
    businesses: ['Biohof Moosrain', 'Gasthof Isarblick', 'Brauhaus Giesinger Berg'],
    spots: [
      spot('Schwabing', 'Leopoldstraße', '80802', 48.162, 11.586),
      spot('Isarvorstadt', 'Lindwurmstraße', '80337', 48.1286, 11.556),
      spot('Obergiesing', 'Tegernseer Landstraße', '81541', 48.113, 11.579),
      spot('Pasing', 'Landsberger Straße', '81241', 48.143, 11.462),
    ],
  },
  {
    address: { city: 'Hamburg', region: 'Hamburg', country: 'Germany' },
    unit: 'liters',
    phone: '+49 40 66969###',
    households: ['Jan Petersen', 'Wiebke Lührs'],
    businesses: ['Obsthof Süderelbe', 'Hotel Altonaer Hof', 'Nordhafen Energie GmbH'],
    spots: [
      spot('Altona', 'Max-Brauer-Allee', '22765', 53.556, 9.942),
      spot('Eimsbüttel', 'Osterstraße', '20259', 53.5765, 9.951),
      spot('Wandsbek', 'Wandsbeker Chaussee', '22089', 53.568, 10.055),
      spot('Harburg', 'Winsener Straße', '21077', 53.444, 9.988),
    ],
  },
  {
    address: { city: 'Berlin', region: 'Berlin', country: 'Germany' },
    unit: 'liters',
    phone: '+49 30 23125###',
    households: ['Mehmet Yıldız', 'Sabine Krüger', 'Oleg Petrenko'],
    businesses: ['Stadtgut Lübars', 'Pension am Savignyplatz', 'Spree Galvanik AG'],
    spots: [
      spot('Charlottenburg', 'Kantstraße', '10623', 52.5056, 13.324),
      spot('Prenzlauer Berg', 'Schönhauser Allee', '10439', 52.549, 13.413),
      spot('Neukölln', 'Sonnenallee', '12045', 52.484, 13.437),
      spot('Köpenick', 'Wendenschloßstraße', '12559', 52.434, 13.58),
    ],
  },
  {
    address: { city: 'Lyon', region: 'Auvergne-Rhône-Alpes', country: 'France' },
    unit: 'liters',
    phone: '+33 4 65 71 ## ##',
    households: ['Camille Moreau', 'Étienne Girard'],
    businesses: ['Ferme des Monts d’Or', 'Hôtel de la Croix-Rousse', 'Verrerie de Gerland'],
    spots: [
      spot('Part-Dieu', 'Rue Garibaldi', '69003', 45.759, 4.853),
      spot('Croix-Rousse', 'Boulevard de la Croix-Rousse', '69004', 45.774, 4.83),
      spot('Vaise', 'Rue Marietton', '69009', 45.774, 4.805),
      spot('Gerland', 'Avenue Jean Jaurès', '69007', 45.735, 4.835),
    ],
  },
  {
    address: { city: 'Leeds', region: 'England', country: 'United Kingdom' },
    unit: 'liters',
    phone: '+44 113 496 0###',
    households: ['Oliver Hartley', 'Priya Nair', 'Margaret O’Connor'],
    businesses: ['Moortown Grange Farm', 'The Wharfedale Arms', 'Holbeck Coatings Ltd'],
    spots: [
      spot('Headingley', 'Otley Road', 'LS6 3PX', 53.823, -1.581),
      spot('Chapel Allerton', 'Harrogate Road', 'LS7 4LZ', 53.829, -1.538),
      spot('Holbeck', 'Water Lane', 'LS11 5QN', 53.7915, -1.552),
      spot('Roundhay', 'Street Lane', 'LS8 1AP', 53.837, -1.511),
    ],
  },
  {
    address: { city: 'Gothenburg', region: 'Västra Götaland', country: 'Sweden' },
    unit: 'liters',
    phone: '+46 31 390 06 ##',
    households: ['Astrid Lindqvist', 'Björn Åkesson'],
    businesses: ['Säve Gård', 'Hotell Hagabion', 'Lundby Gjuteri AB'],
    spots: [
      spot('Majorna', 'Karl Johansgatan', '414 55', 57.688, 11.923),
      spot('Haga', 'Haga Nygata', '413 01', 57.6985, 11.958),
      spot('Örgryte', 'Sankt Sigfridsgatan', '412 66', 57.69, 12.013),
      spot('Lundby', 'Wieselgrensgatan', '417 17', 57.713, 11.937),
    ],
  },
  {
    address: { city: 'Seville', region: 'Andalusia', country: 'Spain' },
    unit: 'liters',
    phone: null,
    households: ['Lucía Romero', 'Javier Ortega'],
    businesses: ['Cortijo Los Naranjos', 'Hostal Puente de Triana', 'Cerámicas del Guadalquivir'],
    spots: [
      spot('Triana', 'Calle San Jacinto', '41010', 37.383, -6.005),
      spot('Nervión', 'Calle Luis Montoto', '41018', 37.388, -5.976),
      spot('Casco Antiguo', 'Calle Feria', '41003', 37.396, -5.991),
      spot('Los Remedios', 'Calle Asunción', '41011', 37.376, -5.999),
    ],
  },
  {
    address: { city: 'Bologna', region: 'Emilia-Romagna', country: 'Italy' },
    unit: 'liters',
    phone: null,
    households: ['Giulia Ferri', 'Marco Bassi'],
    businesses: ['Podere Colli Bolognesi', 'Albergo Porta Saragozza', 'Officine Borgo Panigale'],
    spots: [
      spot('Bolognina', 'Via Giacomo Matteotti', '40129', 44.508, 11.346),
      spot('Santo Stefano', 'Via Santo Stefano', '40125', 44.49, 11.352),
      spot('Saragozza', 'Via Saragozza', '40123', 44.489, 11.333),
      spot('Borgo Panigale', 'Via Marco Emilio Lepido', '40132', 44.519, 11.28),
    ],
  },
  {
    address: { city: 'Tucson', region: 'Arizona', country: 'United States' },
    unit: 'gallons',
    phone: '+1 520-555-01##',
    households: ['Maria Gonzales', 'Daniel Whitehorse', 'Emily Carter'],
    businesses: ['Rillito Creek Ranch', 'Saguaro Inn', 'Old Pueblo Asphalt'],
    spots: [
      spot('Sam Hughes', 'East Speedway Boulevard', '85716', 32.236, -110.929),
      spot('Downtown', 'East Congress Street', '85701', 32.222, -110.966),
      spot('Catalina Foothills', 'East Sunrise Drive', '85718', 32.308, -110.912),
      spot('Rita Ranch', 'South Rita Road', '85747', 32.093, -110.79),
    ],
  },
  {
    address: { city: 'Burlington', region: 'Vermont', country: 'United States' },
    unit: 'gallons',
    phone: '+1 802-555-01##',
    households: ['Nathan Brooks', 'Claire Dubois'],
    businesses: ['Intervale Sugarworks', 'Lake Champlain Lodge', 'Green Mountain Creamery'],
    spots: [
      spot('Old North End', 'North Street', '05401', 44.487, -73.213),
      spot('South End', 'Pine Street', '05401', 44.462, -73.215),
      spot('New North End', 'North Avenue', '05408', 44.508, -73.251),
      spot('Hill Section', 'South Prospect Street', '05401', 44.469, -73.199),
    ],
  },
  {
    address: { city: 'Halifax', region: 'Nova Scotia', country: 'Canada' },
    unit: 'liters',
    phone: '+1 902-555-01##',
    households: ['Fiona MacLeod', 'Liam Tremblay'],
    businesses: ['Cole Harbour Greenhouses', 'The Citadel Guesthouse', 'Dartmouth Fish Smokers'],
    spots: [
      spot('South End', 'South Park Street', 'B3J 2L2', 44.638, -63.577),
      spot('North End', 'Agricola Street', 'B3K 4E2', 44.656, -63.592),
      spot('Clayton Park', 'Dunbrack Street', 'B3M 3G7', 44.661, -63.656),
      spot('Dartmouth', 'Portland Street', 'B2Y 1H5', 44.665, -63.566),
    ],
  },
  {
    address: { city: 'Hobart', region: 'Tasmania', country: 'Australia' },
    unit: 'liters',
    phone: '+61 3 7010 ####',
    households: ['Chloe Nguyen', 'Jack Sullivan'],
    businesses: ['Derwent Valley Hops', 'Battery Point Manor', 'Glenorchy Zinc Finishing'],
    spots: [
      spot('Sandy Bay', 'Sandy Bay Road', '7005', -42.899, 147.329),
      spot('Battery Point', 'Hampden Road', '7004', -42.892, 147.333),
      spot('New Town', 'New Town Road', '7008', -42.857, 147.307),
      spot('Glenorchy', 'Main Road', '7010', -42.833, 147.276),
    ],
  },
];
