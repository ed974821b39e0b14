export type Language = 'en-US' | 'en-GB' | 'de' | 'fr' | 'es' | 'ja'

const locales: Record<Language, string> = {
  'en-US': 'en-US',
  'en-GB': 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  ja: 'ja-JP',
}

/** A number as it is written in the language: `1.234,50`. */
export function figure(value: number, language: Language, digits = 0): string {
  return numberForm(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
}

/** With the sign of the currency where the language has it: `1.234,50 €`, `$1,234.50`. */
export function money(value: number, currency: string, language: Language): string {
  const form = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    useGrouping: 'always',
  })
  return form.format(value)
}

/** A day, `2026-03-12`, in words of the language; `options` as `Intl.DateTimeFormat` has them. */
export function day(
  iso: string,
  language: Language,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long' },
): string {
  const make = () => new Intl.DateTimeFormat(locales[language], { timeZone: 'UTC', ...options })
  return kept(dateForms, language + JSON.stringify(options), make).format(new Date(`${iso}T12:00:00Z`))
}

/** `12.03.2026`, `03/12/2026` and so on. */
export const dayInDigits = (iso: string, language: Language) =>
  day(iso, language, { year: 'numeric', month: '2-digit', day: '2-digit' })

export const dayWithWeekday = (iso: string, language: Language) =>
  day(iso, language, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })

export function addDays(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** `18:30` on the clock of Americans. */
export function twelveHours(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`
}

// A form takes far longer to make than to use.
const numberForms = new Map<string, Intl.NumberFormat>()
const dateForms = new Map<string, Intl.DateTimeFormat>()

function numberForm(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  // Spanish writes four digits without a point; shops do not care.
  const make = () => new Intl.NumberFormat(locales[language], { ...options, useGrouping: 'always' })
  return kept(numberForms, language + JSON.stringify(options), make)
}

function kept<Form>(forms: Map<string, Form>, key: string, make: () => Form): Form {
  const form = forms.get(key) ?? make()
  forms.set(key, form)
  return form
}
