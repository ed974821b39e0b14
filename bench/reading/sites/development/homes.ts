import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, day, dayInDigits, figure, money } from '../locale.ts'
import { date, integer, list, number, object, oneOf, text, yes } from '../schema.ts'
import { either, present, type Template } from '../template.ts'
import { city, personName, phone, slug, streetAddress } from '../words.ts'

const portal: Template = {
  name: 'us-home-portal',
  vertical: 'homes and cars',
  carrier: 'JSON-LD',
  schema: object({
    address: object({ street: text(), city: text(), state: text('Two-letter state'), zip: text() }),
    listPrice: integer('Asking price in dollars'),
    bedrooms: integer(),
    bathrooms: number(),
    livingAreaSqft: integer('Living area in square feet'),
    lotSizeAcres: number(),
    yearBuilt: integer(),
    hoaFeeMonthly: integer('Monthly HOA fee in dollars'),
    status: oneOf(['active', 'pending', 'sold']),
    mlsNumber: text('MLS #'),
    agentName: text('Listing agent'),
  }),
  page(random, structured) {
    const street = streetAddress(random, 'en-US')
    const [town = '', state = ''] = city(random, 'en-US').split(', ')
    const zip = String(random.integer(10_200, 98_900))
    const price = random.integer(180, 1450) * 1000 - random.pick([0, 100, 1000])
    const [beds, baths, area] = [
      random.integer(2, 5),
      random.pick([1, 1.5, 2, 2.5, 3]),
      random.integer(880, 4200),
    ]
    const lot = random.chance(0.7) ? random.integer(8, 240) / 100 : undefined
    const built = random.integer(1921, 2022)
    const fee = random.chance(0.4) ? random.integer(90, 620) : undefined
    const status = random.pick([
      ['active', 'For sale'],
      ['pending', 'Pending'],
      ['active', 'Active'],
    ] as const)
    const mls = `${random.integer(20_000_000, 24_999_999)}`
    const agent = personName(random, 'en-US')
    const full = `${street}, ${town}, ${state} ${zip}`
    const ld = json`[{"@context":"http://schema.org","@type":"SingleFamilyResidence","name":${full},"floorSize":{"@type":"QuantitativeValue","value":${figure(area, 'en-US')},"unitCode":"FTK"},"numberOfRooms":${beds},"yearBuilt":${built},"address":{"@type":"PostalAddress","streetAddress":${street},"addressLocality":${town},"addressRegion":${state},"postalCode":${zip}}},{"@context":"http://schema.org","@type":"RealEstateListing","name":${full},"offers":{"@type":"Offer","price":${price},"priceCurrency":"USD"}}]`
    const fact = (label: string, value: string) =>
      html`<li class="css-fx"><span class="css-fl">${label}: </span><span class="css-fv">${value}</span></li>`
    const body = html`<div class="css-top" data-testid="home-details-summary"><span class="css-st" data-testid="status">${status[1]}</span><span class="css-pr" data-testid="price">${money(price, 'USD', 'en-US').replace('.00', '')}</span><div class="css-bb"><span><strong>${beds}</strong> bd</span><span><strong>${baths}</strong> ba</span><span><strong>${figure(area, 'en-US')}</strong> sqft</span></div><h1 class="css-ad">${street}, ${town}, ${state} ${zip}</h1><p class="css-mo">Est. payment: <b>$${figure(Math.round(price / 160), 'en-US')}/mo</b> <a href="#">Get pre-qualified</a></p></div>
<div class="css-ov"><h2>What's special</h2><p>Light-filled home on a quiet street, close to the park and the farmers market. New roof in 2019, updated kitchen, fenced yard.</p></div>
<div data-testid="facts-and-features"><h2>Facts &amp; features</h2><h3>Interior</h3><ul>${fact('Bedrooms', String(beds))}${fact('Bathrooms', String(baths))}${fact('Heating', 'Forced air, gas')}</ul><h3>Property</h3><ul>${lot && fact('Lot size', `${lot} Acres`)}${fact('Parking spaces', String(random.integer(1, 3)))}</ul><h3>Construction</h3><ul>${fact('Year built', String(built))}</ul><h3>Financial &amp; listing details</h3><ul>${fact('Price per sqft', `$${Math.round(price / area)}/sqft`)}${fact('Annual tax amount', `$${figure(random.integer(1900, 14_000), 'en-US')}`)}${fee && fact('HOA fee', `$${fee} monthly`)}</ul></div>
<div class="css-src"><p>Listed by: <span>${agent}</span> ${phone(random, 'en-US')}, Harborview Realty</p><p>MLS#: ${mls}</p></div>
<div data-testid="nearby"><h2>Similar homes</h2>${[1, 2, 3, 4].map(() => html`<a class="css-hc" href="#"><span>$${figure(random.integer(190, 990) * 1000, 'en-US')}</span><span>${random.integer(2, 5)} bds ${random.integer(1, 3)} ba ${figure(random.integer(900, 3000), 'en-US')} sqft</span><address>${streetAddress(random, 'en-US')}, ${town}, ${state}</address></a>`)}</div>`
    return {
      path: `/homedetails/${slug(full)}/${random.integer(10_000_000, 99_999_999)}_zpid/`,
      html: frame({
        skin: 'react',
        language: 'en-US',
        site: 'Nestline',
        title: `${full} | MLS #${mls} | Nestline`,
        body,
        nav: ['Buy', 'Rent', 'Sell', 'Home Loans'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          address: { street, city: town, state, zip },
          listPrice: price,
          bedrooms: beds,
          bathrooms: baths,
          livingAreaSqft: area,
        },
        ...{
          lotSizeAcres: lot,
          yearBuilt: built,
          hoaFeeMonthly: fee,
          status: status[0],
          mlsNumber: mls,
          agentName: agent,
        },
      }),
    }
  },
}

const rental: Template = {
  name: 'mietwohnung-de',
  vertical: 'homes and cars',
  carrier: 'JSON-LD',
  schema: object({
    titel: text('Überschrift des Exposés'),
    kaltmiete: number('Kaltmiete in Euro'),
    nebenkosten: number('in Euro'),
    kaution: text(),
    wohnflaeche_qm: number('Wohnfläche in m²'),
    zimmer: number('Anzahl der Zimmer'),
    etage: text(),
    bezugsfrei_ab: date(),
    baujahr: integer(),
    adresse: object({ strasse: text(), plz: text(), ort: text() }),
    haustiere: yes('Haustiere erlaubt'),
    ausstattung: list(text(), 'Ausstattungsmerkmale'),
  }),
  page(random, structured) {
    const rooms = random.pick([1, 2, 2.5, 3, 3.5, 4])
    const area = random.integer(280, 1240) / 10
    const cold = random.integer(390, 1650) + random.pick([0, 0.5])
    const extra = random.integer(80, 290)
    const town = city(random, 'de')
    const street = streetAddress(random, 'de')
    const zip = String(random.integer(10_115, 97_999))
    const floor = random.pick(['EG', '2. OG', '4 von 5', 'Dachgeschoss'])
    const free = random.chance(0.6) ? addDays('2026-04-01', random.integer(0, 160)) : undefined
    const built = random.chance(0.6) ? random.integer(1898, 2021) : undefined
    const deposit = random.chance(0.6) ? random.pick(['3 Monatskaltmieten', '2 Nettokaltmieten']) : undefined
    const pets = random.chance(0.4) ? random.chance(0.5) : undefined
    const things = random.some(
      ['Balkon', 'Einbauküche', 'Keller', 'Aufzug', 'Gäste-WC'],
      random.integer(2, 3),
    )
    const title = `${random.pick(['Helle', 'Sanierte', 'Charmante'])} ${figure(rooms, 'de', rooms % 1 ? 1 : 0)}-Zimmer-Wohnung in ${town}`
    const ld = json`{"@context":"http://schema.org","@type":"RealEstateListing","name":${title},"datePosted":"2026-02-11","about":{"@type":"Apartment","numberOfRooms":${rooms},"floorSize":{"@type":"QuantitativeValue","value":${area},"unitCode":"MTK"},"address":{"@type":"PostalAddress","streetAddress":${street},"postalCode":${zip},"addressLocality":${town}}},"offers":{"@type":"Offer","price":${cold},"priceCurrency":"EUR","businessFunction":"http://purl.org/goodrelations/v1#LeaseOut"}}`
    const pair = (name: string, label: string, value: string) =>
      html`<dl class="grid"><dt class="is24qa-${name}-label grid-item two-fifths">${label}</dt><dd class="is24qa-${name} grid-item three-fifths"> ${value} </dd></dl>`
    const body = html`<h1 id="expose-title" class="font-semibold">${title}</h1><div class="address-block"><span class="block">${street}, </span><span class="zip-region-and-country">${zip} ${town}</span></div>
<div class="mainCriteriaContainer"><div class="mainCriteria"><div class="is24-value">${figure(cold, 'de', cold % 1 ? 2 : 0)} €</div><div class="is24-label">Kaltmiete</div></div><div class="mainCriteria"><div class="is24-value">${figure(rooms, 'de', rooms % 1 ? 1 : 0)}</div><div class="is24-label">Zi.</div></div><div class="mainCriteria"><div class="is24-value">${figure(area, 'de', 1)} m²</div><div class="is24-label">Fläche</div></div></div>
<div class="boolean-listing">${things.map((thing) => html`<span class="palm-hide">${thing}</span>`)}</div>
<div class="criteriagroup criteria-group--two-columns">${pair('etage', 'Etage:', floor)}${pair('wohnflaeche-ca', 'Wohnfläche ca.:', `${figure(area, 'de', 1)} m²`)}${free && pair('bezugsfrei-ab', 'Bezugsfrei ab:', dayInDigits(free, 'de'))}${pair('zimmer', 'Zimmer:', figure(rooms, 'de', rooms % 1 ? 1 : 0))}${pets !== undefined && pair('haustiere', 'Haustiere:', pets ? 'Ja' : 'Nein')}</div>
<h4>Kosten</h4><div class="criteriagroup">${pair('kaltmiete', 'Kaltmiete:', `${figure(cold, 'de', 2)} €`)}${pair('nebenkosten', 'Nebenkosten:', `+ ${figure(extra, 'de', 2)} €`)}${pair('gesamtmiete', 'Gesamtmiete:', `${figure(cold + extra, 'de', 2)} €`)}${deposit && pair('kaution-o-genossenschaftsanteile', 'Kaution o. Genossenschaftsanteile:', deposit)}</div>
<h4>Bausubstanz &amp; Energieausweis</h4><div class="criteriagroup">${built && pair('baujahr', 'Baujahr:', String(built))}${pair('objektzustand', 'Objektzustand:', 'Gepflegt')}</div><pre class="is24qa-objektbeschreibung">Die Wohnung liegt ruhig und dennoch zentral, die Straßenbahn hält in 200 m.</pre>`
    const side = html`<h3>Anbieter</h3><p>Herr ${personName(random, 'de')}, Hausverwaltung Nord, ${phone(random, 'de')}</p><h3>Ähnliche Objekte</h3>${[1, 2, 3].map(() => html`<div class="similar"><a href="#">${random.integer(1, 4)}-Zimmer-Wohnung</a> ${figure(random.integer(400, 1500), 'de')} € · ${figure(random.integer(30, 110), 'de')} m²</div>`)}`
    return {
      path: `/expose/${random.integer(100_000_000, 149_999_999)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'de',
        site: 'Wohnblick',
        title: `${title} - Wohnblick`,
        body,
        side,
        nav: ['Mieten', 'Kaufen', 'Umzug'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          titel: title,
          kaltmiete: cold,
          nebenkosten: extra,
          kaution: deposit,
          wohnflaeche_qm: area,
          zimmer: rooms,
          etage: floor,
        },
        ...{
          bezugsfrei_ab: free,
          baujahr: built,
          adresse: { strasse: street, plz: zip, ort: town },
          haustiere: pets,
          ausstattung: things,
        },
      }),
    }
  },
}

const dealer: Template = {
  name: 'car-dealer-uk',
  vertical: 'homes and cars',
  carrier: 'JSON-LD',
  schema: object({
    make: text(),
    model: text(),
    trim: text('Variant or trim level'),
    price_gbp: integer(),
    mileage_miles: integer('Odometer reading'),
    registration_year: integer('Year of first registration'),
    fuel_type: oneOf(['petrol', 'diesel', 'electric', 'hybrid']),
    transmission: oneOf(['manual', 'automatic']),
    engine_size_litres: number(),
    colour: text(),
    previous_owners: integer(),
    mot_expiry: date('When the MOT runs out'),
    dealer_phone: text(),
  }),
  page(random, structured) {
    const [make, model] = random.pick([
      ['Volkswagen', 'Golf'],
      ['Ford', 'Focus'],
      ['Skoda', 'Octavia'],
      ['Kia', 'Ceed'],
    ] as const)
    const trim = random.pick(['SE Technology', 'Match', 'Titanium X', 'GT Line'])
    const fuel = random.pick([
      ['petrol', 'Petrol'],
      ['diesel', 'Diesel'],
      ['hybrid', 'Petrol Plug-in Hybrid'],
    ] as const)
    const gear = random.pick(['manual', 'automatic'] as const)
    const litres = random.pick([1, 1.4, 1.6, 2])
    const [price, miles, year] = [
      random.integer(59, 320) * 100 - 5,
      random.integer(900, 98_000),
      random.integer(2012, 2025),
    ]
    const owners = random.chance(0.6) ? random.integer(1, 4) : undefined
    const mot = random.chance(0.5) ? addDays('2026-06-01', random.integer(0, 300)) : undefined
    const colour = random.pick(['Pure White', 'Magnetic Grey', 'Deep Black', 'Tornado Red'])
    const dealerPhone = phone(random, 'en-GB')
    const ld = json`{"@context":"https://schema.org","@type":"Car","name":${`${make} ${model} ${trim}`},"brand":{"@type":"Brand","name":${make}},"model":${model},"vehicleConfiguration":${trim},"color":${colour},"fuelType":${fuel[1]},"vehicleTransmission":${gear},"mileageFromOdometer":{"@type":"QuantitativeValue","value":${miles},"unitCode":"SMI"},"vehicleModelDate":${String(year)},"offers":{"@type":"Offer","price":${price},"priceCurrency":"GBP"}}`
    const spec = (icon: string, value: string) =>
      html`<li class="list-group-item d-flex"><i class="fa fa-${icon}"></i><span>${value}</span></li>`
    const body = html`<div class="row vehicle-header"><div class="col-8"><h1 class="h2">${year} ${make} ${model} <small>${litres.toFixed(1)} ${trim} 5dr</small></h1></div><div class="col-4 text-end"><div class="price h2">£${figure(price, 'en-GB')}</div><div class="finance">or £${random.integer(110, 420)}.${random.integer(10, 99)} per month</div></div></div>
<div class="row"><div class="col-7"><img class="img-fluid" src="/stock/${slug(model)}-1.jpg" alt="${make} ${model}"></div><div class="col-5"><ul class="list-group key-specs">${spec('tachometer', `${figure(miles, 'en-GB')} miles`)}${spec('gas-pump', fuel[1])}${spec('cogs', gear === 'manual' ? 'Manual' : 'Automatic')}${spec('palette', colour)}${owners && spec('users', `${owners} previous owner${owners > 1 ? 's' : ''}`)}</ul></div></div>
<table class="table table-striped"><tbody><tr><th>Engine size</th><td>${litres.toFixed(1)} L</td></tr><tr><th>Registered</th><td>${year} (${String(year).slice(2)} plate)</td></tr>${mot && html`<tr><th>MOT expires</th><td>${day(mot, 'en-GB', { day: '2-digit', month: 'short', year: 'numeric' })}</td></tr>`}<tr><th>CO2 emissions</th><td>${random.integer(28, 160)} g/km</td></tr><tr><th>Insurance group</th><td>${random.integer(8, 30)}E</td></tr></tbody></table>
<p>Full service history, two keys, HPI clear. Part exchange welcome. Call the showroom on <a href="tel:${dealerPhone.replace(/\D/g, '')}">${dealerPhone}</a>.</p>
<h3>Similar vehicles</h3><div class="row">${[1, 2, 3].map(() => html`<div class="col-4"><div class="card"><div class="card-body"><h5 class="card-title">${random.integer(2013, 2024)} Vauxhall Astra</h5><p>£${figure(random.integer(60, 200) * 100 - 5, 'en-GB')}</p><small>${figure(random.integer(9, 90) * 1000, 'en-GB')} miles | Petrol | Manual</small></div></div></div>`)}</div>`
    return {
      path: `/used-cars/${slug(`${make} ${model} ${trim}`)}-${random.integer(100_000, 999_999)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'en-GB',
        site: 'Ridgeway Motors',
        title: `Used ${make} ${model} ${trim} for sale | Ridgeway Motors`,
        body,
        nav: ['Used cars', 'Finance', 'Servicing from £99', 'Contact'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          make,
          model,
          trim: either(trim, `${trim} 5dr`, `${litres.toFixed(1)} ${trim} 5dr`),
          price_gbp: price,
          mileage_miles: miles,
        },
        ...{
          registration_year: year,
          fuel_type: fuel[0],
          transmission: gear,
          engine_size_litres: litres,
          colour,
        },
        ...{ previous_owners: owners, mot_expiry: mot, dealer_phone: dealerPhone },
      }),
    }
  },
}

export const homes = [portal, rental, dealer]
