import type { ConceptRow } from './concept.ts'

/** Recipes and what they say of food. */
export const food: readonly ConceptRow[] = [
  [
    'ingredients',
    'steps',
    'recipeIngredient ingredients',
    'ingredients, ingredient, recipe ingredients, ingredient list, you will need, what you need, what you ll need, zutaten, zutatenliste, ingredientes, ingredienti, ingredienten, ingrediënten, ingredienser, ingredienser til, skladniki, suroviny, hozzavalok, ainekset, ingrediente, 材料',
  ],
  [
    'instructions',
    'steps',
    'recipeInstructions step',
    'instructions, directions, method, steps, preparation, recipe steps, how to make, how to make it, cooking instructions, preparation steps, cooking steps, let s cook, zubereitung, anleitung, so geht s, etapes, instructions de preparation, preparacion, elaboracion, instrucciones, modo de preparacion, pasos, preparazione, procedimento, istruzioni, come fare, modo de preparo, instrucoes, bereiding, bereidingswijze, werkwijze, aan de slag, fremgangsmade, sadan gor du, gor sa har, tillagning, fremgangsmate, przygotowanie, sposob przygotowania, wykonanie, postup, elkeszites, valmistus, 作り方, 手順',
  ],
  [
    'prepTime',
    'duration',
    'prepTime',
    'prep time, preparation time, prep, time to prepare, vorbereitungszeit, vorbereitung, arbeitszeit, temps de preparation, preparation, tiempo de preparacion, preparacion, tempo di preparazione, preparazione, tempo de preparo, preparo, voorbereidingstijd, voorbereiding, bereidingstijd, forberedelsestid, forberedelse, arbejdstid, czas przygotowania, 準備時間',
  ],
  [
    'cookTime',
    'duration',
    'cookTime performTime',
    'cook time, cooking time, cook, cooking, bake time, baking time, bake, kochzeit, backzeit, garzeit, koch backzeit, temps de cuisson, cuisson, tiempo de coccion, coccion, tempo di cottura, cottura, tempo de cozimento, cozimento, kooktijd, oventijd, baktijd, tilberedningstid, stegetid, bagetid, tillagningstid, koketid, czas gotowania, 調理時間',
  ],
  [
    'totalTime',
    'duration',
    'totalTime',
    'total time, total, ready in, time, overall time, gesamtzeit, gesamt, zeit, fertig in, temps total, duree totale, tiempo total, tempo totale, tempo total, totale tijd, klaar in, tid i alt, samlet tid, total tid, czas calkowity, laczny czas, 合計時間, 所要時間',
  ],
  [
    'yield',
    'text',
    'recipeYield yield',
    'yield, yields, servings, serves, serving, portions, makes, number of servings, recipe yield, recipe servings, portionen, personen, fur, ergibt, anzahl portionen, parts, personnes, nombre de personnes, pour, portion, raciones, porciones, comensales, personas, para, porzioni, dosi per, persone, per, dosi, rende, rendimento, porcoes, porties, personen, aantal personen, portioner, antal personer, personer, porcje, liczba porcji, porce, adag, annosta, 人数, 人分',
  ],
  [
    'cuisine',
    'text',
    'recipeCuisine servesCuisine',
    'cuisine, kuche, kitchen, cuisine type, cocina, tipo de cocina, cucina, cozinha, keuken, kokken, kuchnia, 料理ジャンル',
  ],
  [
    'calories',
    'measure',
    'nutrition.calories',
    'calories, energy, kcal, calorie, kalorien, brennwert, energie, calorias, valor energetico, calorie, energia, energie, kalorier, kalorie, カロリー, エネルギー',
  ],
  [
    'protein',
    'measure',
    'nutrition.proteinContent',
    'protein, proteins, eiweiss, proteines, proteinas, proteine, eiwitten, bialko, たんぱく質',
  ],
  [
    'fat',
    'measure',
    'nutrition.fatContent',
    'fat, total fat, fett, lipides, matieres grasses, grasas, grassi, gorduras, vet, vetten, tluszcz, 脂質',
  ],
  [
    'carbohydrates',
    'measure',
    'nutrition.carbohydrateContent',
    'carbohydrates, carbs, total carbohydrate, kohlenhydrate, glucides, carbohidratos, hidratos de carbono, carboidrati, koolhydraten, kulhydrater, weglowodany, 炭水化物',
  ],
  [
    'difficulty',
    'text',
    'educationalLevel',
    'difficulty, difficulty level, skill level, level, schwierigkeit, schwierigkeitsgrad, difficulte, niveau, dificultad, difficolta, dificuldade, moeilijkheid, svaerhedsgrad, poziom trudnosci, 難易度',
  ],
  [
    'diet',
    'text',
    'suitableForDiet',
    'diet, dietary, suitable for, dietary restrictions, ernahrung, regime, dieta, dieet',
  ],
]
