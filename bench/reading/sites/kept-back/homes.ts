import { frame } from '../frame.ts'
import { html, json } from '../html.ts'
import { addDays, dayInDigits, figure } from '../locale.ts'
import { date, integer, list, number, object, oneOf, text, yes } from '../schema.ts'
import { present, type Template } from '../template.ts'
import { city, personName, phone, slug } from '../words.ts'

const marketplace: Template = {
  name: 'gebrauchtwagen-next-de',
  vertical: 'homes and cars',
  carrier: 'state',
  schema: object({
    fahrzeug: object({ marke: text(), modell: text(), ausstattungslinie: text() }),
    preis: integer('Preis in Euro'),
    kilometerstand: integer(),
    erstzulassung: text('Monat und Jahr, MM/JJJJ'),
    leistungKw: integer('Leistung in kW'),
    kraftstoff: oneOf(['Benzin', 'Diesel', 'Elektro', 'Hybrid']),
    getriebe: oneOf(['Schaltgetriebe', 'Automatik']),
    verbrauchKombiniert: number('l/100 km'),
    unfallfrei: yes(),
    hauptuntersuchung: text('HU bis'),
    anbieter: object({ name: text(), ort: text() }),
  }),
  page(random, structured) {
    const [make, model] = random.pick([
      ['Opel', 'Astra'],
      ['BMW', '320d'],
      ['Audi', 'A4 Avant'],
      ['Renault', 'Mégane'],
    ] as const)
    const line = random.pick(['Edition', 'Advantage', 'S line', 'Intens'])
    const [price, kilometres, kw] = [
      random.integer(49, 420) * 100 - 10,
      random.integer(8, 190) * 1000,
      random.integer(66, 210),
    ]
    const first = `${String(random.integer(1, 12)).padStart(2, '0')}/${random.integer(2010, 2025)}`
    const fuel = random.pick(['Benzin', 'Diesel', 'Hybrid'])
    const gear = random.pick(['Schaltgetriebe', 'Automatik'])
    const litres = random.chance(0.7) ? random.integer(38, 89) / 10 : undefined
    const clean = random.chance(0.5)
    const inspection = random.chance(0.6)
      ? `${String(random.integer(1, 12)).padStart(2, '0')}/2027`
      : undefined
    const seller = {
      name: `Autohaus ${personName(random, 'de').split(' ')[1]} GmbH`,
      ort: city(random, 'de'),
    }
    const state = json`{"props":{"pageProps":{"listing":{"vehicle":{"make":${make},"model":${model},"modelVersionInput":${line},"mileageInKm":${kilometres},"rawPowerInKw":${kw},"firstRegistration":${first},"fuel":${fuel},"transmission":${gear}},"price":{"raw":${price},"formatted":${`€ ${figure(price, 'de')}`}},"seller":{"companyName":${seller.name},"city":${seller.ort}}}}}}`
    const pair = (label: string, value: string) =>
      html`<dt class="DataGrid_defaultDtStyle__x1">${label}</dt><dd class="DataGrid_defaultDdStyle__y2 DataGrid_fontBold__z3">${value}</dd>`
    const body = html`<div class="StageArea_stage__8"><h1 class="StageTitle_title__A"><div class="StageTitle_makeModelContainer__B"><span class="StageTitle_boldClassifiedInfo__C">${make}</span> <span class="StageTitle_model__D">${model}</span></div><div class="StageTitle_modelVersion__E">${line}</div></h1><div data-testid="price-section"><span class="PriceInfo_price__F">€ ${figure(price, 'de')},-</span><sup>1</sup> <span data-testid="price-label">Guter Preis</span></div></div>
<div class="VehicleOverview_containerMoreThanFourItems__G">${[
      ['Kilometerstand', `${figure(kilometres, 'de')} km`],
      ['Getriebe', gear],
      ['Erstzulassung', first],
      ['Kraftstoff', fuel],
      ['Leistung', `${kw} kW (${Math.round(kw * 1.36)} PS)`],
    ].map(
      ([label, value]) =>
        html`<div class="VehicleOverview_itemContainer__H"><div class="VehicleOverview_itemTitle__I">${label}</div><div class="VehicleOverview_itemText__J">${value}</div></div>`,
    )}</div>
<section data-cy="vehicle-history-section"><h2>Fahrzeughistorie</h2><dl>${pair('Erstzulassung', first)}${inspection && pair('HU', inspection)}${clean && pair('Unfallfrei', 'Ja')}${pair('Fahrzeughalter', String(random.integer(1, 3)))}</dl></section><section><h2>Energieverbrauch</h2><dl>${litres && pair('Kraftstoffverbrauch², komb.', `${figure(litres, 'de', 1)} l/100 km`)}${pair('CO₂-Emissionen', `${random.integer(92, 190)} g/km (komb.)`)}</dl></section>
<section id="vendor"><h2>Händler</h2><div class="VendorData_companyName__K">${seller.name}</div><div class="Department_departmentContainer__L"><a href="#">${random.pick(['Industriestr. 4', 'Am Ring 12'])}, DE-${random.integer(20_000, 90_000)} ${seller.ort}</a> Tel. ${phone(random, 'de')}</div></section>
<section data-testid="recommendations"><h2>Ähnliche Fahrzeuge</h2>${[1, 2, 3].map(() => html`<article><h3>VW Passat</h3><span>€ ${figure(random.integer(60, 300) * 100, 'de')},-</span><span>${figure(random.integer(10, 150) * 1000, 'de')} km</span><span>0${random.integer(1, 9)}/${random.integer(2012, 2023)}</span></article>`)}</section>`
    return {
      path: `/angebote/${slug(`${make} ${model} ${line}`)}-${random.integer(10_000, 99_999)}`,
      html: frame({
        skin: 'react',
        language: 'de',
        site: 'AutoScheune',
        title: `${make} ${model} ${line} gebraucht für € ${figure(price, 'de')},-`,
        body,
        nav: ['Suchen', 'Verkaufen', 'Leasing ab 99 €'],
        end: structured.state('__NEXT_DATA__', state),
      }),
      expected: present({
        ...{
          fahrzeug: { marke: make, modell: model, ausstattungslinie: line },
          preis: price,
          kilometerstand: kilometres,
          erstzulassung: first,
        },
        ...{
          leistungKw: kw,
          kraftstoff: fuel,
          getriebe: gear,
          verbrauchKombiniert: litres,
          unfallfrei: clean || undefined,
          hauptuntersuchung: inspection,
        },
        anbieter: seller,
      }),
    }
  },
}

const immobilier: Template = {
  name: 'agence-immobiliere-fr',
  vertical: 'homes and cars',
  carrier: 'Open Graph',
  schema: object({
    title: text(),
    price_eur: integer('asking price'),
    agency_fees_included: yes('honoraires inclus'),
    surface_m2: number('habitable surface'),
    land_m2: integer('surface of the plot of land'),
    rooms: integer('nombre de pièces'),
    bedrooms: integer('nombre de chambres'),
    city: text(),
    energy_class: oneOf(['A', 'B', 'C', 'D', 'E', 'F', 'G'], 'DPE'),
    reference: text('listing reference'),
    features: list(text()),
  }),
  page(random, structured) {
    const town = city(random, 'fr')
    const rooms = random.integer(3, 8)
    const bedrooms = rooms - random.integer(1, 2)
    const surface = random.integer(520, 2300) / 10
    const land = random.chance(0.6) ? random.integer(180, 4200) : undefined
    const price = random.integer(98, 890) * 1000
    const included = random.chance(0.6)
    const energy = random.chance(0.8) ? random.pick(['B', 'C', 'D', 'E', 'G']) : undefined
    const reference = `VM${random.integer(100, 9999)}`
    const features = random.some(['Cheminée', 'Garage double', 'Véranda', 'Cave', 'Panneaux solaires'], 3)
    const title = `Maison ${rooms} pièces ${figure(surface, 'fr', 1)} m² à ${town}`
    const body = html`<div class="fiche"><h1>${title}</h1><div class="fiche__prix">${figure(price, 'fr')} € ${included ? html`<small>honoraires inclus charge vendeur</small>` : html`<small>hors honoraires</small>`}</div><ul class="fiche__chiffres"><li><strong>${figure(surface, 'fr', 1)}</strong> m² habitables</li>${land && html`<li><strong>${figure(land, 'fr')}</strong> m² de terrain</li>`}<li><strong>${rooms}</strong> pièces</li><li><strong>${bedrooms}</strong> chambres</li></ul>
<p class="fiche__ref">Réf. ${reference} — mise à jour le ${dayInDigits('2026-03-03', 'fr')}</p><div class="fiche__texte"><p>Au calme et proche des commerces, cette maison familiale a été rénovée en 2015. Taxe foncière : ${figure(random.integer(700, 2400), 'fr')} €.</p><h3>Les plus</h3><ul>${features.map((feature) => html`<li>${feature}</li>`)}</ul></div>
${energy && html`<div class="dpe"><h3>Diagnostic de performance énergétique</h3><div class="dpe__barre"><span class="lettre lettre--${energy.toLowerCase()} actif">${energy}</span> <span>${random.integer(60, 380)} kWh/m²/an</span></div></div>`}<div class="agent"><img src="/agents/1.jpg" alt=""><p>${personName(random, 'fr')}<br>Conseillère immobilière<br>${phone(random, 'fr')}</p></div></div>`
    const side = html`<h3>Biens similaires</h3>${[1, 2, 3].map(() => html`<div class="vignette"><a href="#">Maison ${random.integer(3, 7)} pièces</a><span>${figure(random.integer(120, 600) * 1000, 'fr')} €</span><span>${random.integer(70, 200)} m²</span></div>`)}`
    return {
      path: `/annonces/${slug(title)}-${reference.toLowerCase()}.html`,
      html: frame({
        skin: 'bootstrap',
        language: 'fr',
        site: 'Agence du Parc',
        title: `${title} - ${reference} | Agence du Parc`,
        body,
        side,
        nav: ['Acheter', 'Louer', 'Estimer', 'L’agence'],
        head: structured.meta(
          ['og:title', title],
          ['og:type', 'website'],
          ['product:price:amount', price],
          ['product:price:currency', 'EUR'],
          ['og:locality', town],
        ),
      }),
      expected: present({
        ...{
          title,
          price_eur: price,
          agency_fees_included: included,
          surface_m2: surface,
          land_m2: land,
          rooms,
          bedrooms,
          city: town,
        },
        ...{ energy_class: energy, reference, features },
      }),
    }
  },
}

const classified: Template = {
  name: 'coches-es',
  vertical: 'homes and cars',
  carrier: 'microdata',
  schema: object({
    titulo: text(),
    precioContado: integer('precio al contado en euros'),
    precioFinanciado: integer('precio financiado en euros'),
    anio: integer('año de matriculación'),
    km: integer('kilómetros recorridos'),
    combustible: oneOf(['gasolina', 'diésel', 'eléctrico', 'híbrido']),
    puertas: integer(),
    potenciaCv: integer('potencia en CV'),
    garantiaMeses: integer('meses de garantía'),
    provincia: text(),
    publicado: date('fecha de publicación del anuncio'),
  }),
  page(random, structured) {
    const title = random.pick([
      'SEAT León 1.5 TSI Style',
      'Toyota Corolla 140H Active Tech',
      'Peugeot 308 BlueHDi Allure',
      'Dacia Sandero Stepway',
    ])
    const price = random.integer(69, 280) * 100
    const financed = random.chance(0.5) ? price - random.integer(5, 20) * 100 : undefined
    const [year, km, power] = [
      random.integer(2013, 2025),
      random.integer(5, 180) * 1000,
      random.integer(75, 180),
    ]
    const fuel = random.pick([
      ['gasolina', 'Gasolina'],
      ['diésel', 'Diésel'],
      ['híbrido', 'Híbrido'],
    ] as const)
    const doors = random.pick([3, 5])
    const months = random.chance(0.6) ? random.pick([12, 24, 36]) : undefined
    const province = random.pick(['Zaragoza', 'Málaga', 'Asturias', 'Valladolid'])
    const posted = random.chance(0.6) ? addDays('2026-01-10', random.integer(0, 90)) : undefined
    const fact = (value: string) => html`<li class="mt-PanelAdDetails-dataItem">${value}</li>`
    const body = html`<div class="mt-PanelAdDetails"${structured.attributes('itemscope itemtype="http://schema.org/Car"')}><h1 class="mt-PanelAdDetails-title"${structured.attributes('itemprop="name"')}>${title}</h1><div class="mt-PanelAdDetails-prices"${structured.attributes('itemprop="offers" itemscope itemtype="http://schema.org/Offer"')}>${structured.block(html`<meta itemprop="price" content="${price}"><meta itemprop="priceCurrency" content="EUR">`)}<div><span>Al contado</span> <strong>${figure(price, 'es')} €</strong></div>${financed && html`<div><span>Financiado</span> <strong>${figure(financed, 'es')} €</strong> <em>desde ${random.integer(120, 300)} €/mes</em></div>`}</div>
<ul class="mt-PanelAdDetails-data">${fact(String(year))}${fact(`${figure(km, 'es')} km`)}${fact(fuel[1])}${fact(`${doors} puertas`)}${fact(`${power} CV`)}${fact(province)}</ul>${months && html`<p class="garantia">Garantía: ${months} meses</p>`}<p>Único propietario, libro de revisiones al día, siempre en garaje. Vehículo revisado en 110 puntos.</p>${posted && html`<p class="fecha">Publicado el ${dayInDigits(posted, 'es')}</p>`}</div>
<h2>Coches parecidos</h2><ul>${[1, 2, 3].map(() => html`<li><a href="#">Renault Clio TCe</a> <b>${figure(random.integer(70, 160) * 100, 'es')} €</b> ${random.integer(2014, 2024)} · ${figure(random.integer(9, 120) * 1000, 'es')} km · Gasolina</li>`)}</ul>`
    return {
      path: `/coches-segunda-mano/${slug(title)}-${random.integer(50_000_000, 59_999_999)}-covo.aspx`,
      html: frame({
        skin: 'tailwind',
        language: 'es',
        site: 'motorzoco',
        title: `${title} de segunda mano en ${province} | motorzoco`,
        body,
        nav: ['Comprar', 'Vender', 'Tasar'],
      }),
      expected: present({
        ...{
          titulo: title,
          precioContado: price,
          precioFinanciado: financed,
          anio: year,
          km,
          combustible: fuel[0],
          puertas: doors,
        },
        ...{ potenciaCv: power, garantiaMeses: months, provincia: province, publicado: posted },
      }),
    }
  },
}

export const homes = [marketplace, immobilier, classified]
