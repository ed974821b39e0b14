import { addDays } from './locale.ts'
import type { Random } from './random.ts'

export interface Post {
  user: string
  text: string
  on: string
  time: string
  votes: number
}

const english =
  'I had the same problem after the last update, and clearing the settings folder solved it for me.|Which version are you on? On mine the option moved to the second tab.|Thanks, that worked. Marking this as solved.|You need the 12 V adapter; the 9 V one from 2017 will not start the motor.|Please post the log, otherwise we can only guess.|Mine has run for 300 hours without a hitch since I changed the filter.'
const talks = {
  en: {
    titles:
      'Heating stays on at night|Garmin loses tracks after update|Best glue for a cracked ukulele?|How do I seal a cast iron stove?',
    posts: english,
  },
  de: {
    titles:
      'Heizung läuft nachts durch|Welcher Kleber für Ukulele?|Kettenschaltung springt im 4. Gang|Firmware 2.3 lässt sich nicht installieren',
    posts:
      'Das hatte ich nach dem letzten Update auch, ein Zurücksetzen hat geholfen.|Welche Version hast du denn? Bei mir ist die Option auf den zweiten Reiter gewandert.|Danke, das war es. Kann geschlossen werden.|Du brauchst das Netzteil mit 12 V, das alte von 2017 reicht nicht.|Bitte poste mal das Protokoll, sonst ist es Raten.',
  },
  es: {
    titles:
      'La caldera no se apaga por la noche|¿Qué pegamento para un ukelele?|No puedo instalar el firmware 2.3',
    posts:
      'Me pasó lo mismo después de la actualización y se arregló al borrar la configuración.|¿Qué versión tienes? En la mía la opción está en la segunda pestaña.|Gracias, funcionó a la primera.|Necesitas el adaptador de 12 V, el antiguo no arranca el motor.',
  },
  fr: {
    titles:
      'La chaudière tourne toute la nuit|Quelle colle pour un ukulélé ?|Impossible d’installer la version 2.3',
    posts:
      'J’ai eu le même souci après la mise à jour, il a suffi de vider le dossier.|Quelle version utilisez-vous ? Chez moi l’option est dans le second onglet.|Merci, problème résolu !|Il faut l’adaptateur 12 V, l’ancien ne suffit pas.',
  },
}

const users =
  'old_tom|Kettlefish|mia_r|DrSprocket|bluebird77|hans.w|Nachteule|pixelpaul|la_Tortuga|zoe42'.split('|')

export function thread(random: Random, language: keyof typeof talks): { title: string; posts: Post[] } {
  const { titles, posts } = talks[language]
  const from = addDays('2025-11-03', random.integer(0, 240))
  const count = random.integer(3, 4)
  const names = random.shuffled(users).slice(0, count)
  return {
    title: random.pick(titles.split('|')),
    posts: random
      .shuffled(posts.split('|'))
      .slice(0, count)
      .map((text, place) => ({
        ...{ user: names[place] ?? '', text, on: addDays(from, place * random.integer(1, 3)) },
        time: `${String(random.integer(6, 23)).padStart(2, '0')}:${random.integer(10, 59)}`,
        votes: random.integer(0, 48),
      })),
  }
}

export const otherTitles = (random: Random, language: keyof typeof talks) =>
  random.shuffled(talks[language].titles.split('|')).slice(0, 3)
