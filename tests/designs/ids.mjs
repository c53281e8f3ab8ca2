// Ids of the seed data in designs/, by the names of what they belong to, and
// what made ones look like.

export const notifications = {
  ana: 'usr_01J93J73286P6BR91356BHCF67',
  tom: 'usr_01JA68PWJGX4HG4HHXMETXDF42',
  lucia: 'usr_01JBP8TD4GHV90K5FTKC57PX3H',
  welcome: '01J93J741GHEY2BQNF9VNH0Z9F',
  code: '01J9S596E0326AZH39BPATEDCT', // deleted
  messageFromTom: '01JBPQYQ605HVRBZYSWX79A5TH',
  messageFromLucia: '01JBPQYQ60CFM3NA64M2STQRBC', // in the same second
  week: '01JBXHZ1C0NKR2BTZB6DMHTYHS',
  password: 'salamandra-42',
};

export const goals = {
  robin: '12345',
  mira: '67890',
  mining: '01JGFK58Y0E595WFEFB4SYW434',
  quests: '01JGVC7XR0600PQZ9HA8MFXF9N',
  barrows: '01JHD1VWZ0M07DCZA0SPKARY0M',
  bank: '01JJ2G7D00DHJEXTR0NG3454P2',
};

export const store = {
  juan: 'ed08c290-d7e2-4f7b-b324-b15cbadce35b',
  sofia: '86846e84-f9bf-4205-ba48-23193843d22a',
  marta: 'e420eb81-d117-4e1d-86fa-9d50691b06a5',
  cafePremium: '67c9d17f-1fe9-4f23-a258-f26a5a8e470c',
  cafeDeColombia: '519c5387-a0e5-4c1a-99b0-54ea274cf522',
  cafeDeEtiopia: '40aa7430-542d-46d2-8f9e-686bc598319b',
  cafeDeNavidad: '5d0ce9a4-33cb-4932-8d7c-da47b8cfc417', // not for sale
  descafeinado: '64bde770-c280-4af0-b91b-0a3f8b096315',
  prensa: '62e575b6-eceb-4e28-8bbd-0e5d2ea41a71',
  taza: 'a619c02c-7f5c-46c7-b33a-4d23fe44551a',
  alfajor: '81fe1a74-9d68-4101-851c-0ee94fae4b97', // sold out
  paidOrder: 'ffb0e4fd-0a24-428d-ad0d-3140aa2a1586',
  pendingOrder: '4c13835c-a9e2-4c56-83e0-60bc6808fc6d',
  sofiasOrder: 'f7eaa7fb-45f3-4730-8a50-3e0c1d86fdb1',
  password: 'cortado-2026',
};

export const blog = {
  helena: 'user-123',
  caio: 'user-456',
  beatriz: 'user-789',
  password: 'batata-doce-7',
};

export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
export const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

// "correct horse" with bcrypt; a hash that need not be computed again.
export const HASH = '$2b$04$Oa3tJw0bXcKq5rLmZe1uH.FOXvt0erBC4ypO5rVj5Jh86XeaWFuxq';

let counter = 0;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

// A ULID of this moment; later ones sort behind.
export function newUlid() {
  let moment = Date.now();
  let text = '';
  for (let digit = 0; digit < 10; ++digit, moment = Math.floor(moment / 32)) text = CROCKFORD[moment % 32] + text;
  return text + String(++counter).padStart(16, '0');
}
