import { singular, words } from '../../reading/vocabulary/words.ts'

/** How sections of menus are called, in the languages whose menus are read. Compared without accents. */
const sectionNames = vocabulary(`
starter appetizer appetiser main entree side dessert drink beverage cocktail wine beer breakfast brunch lunch dinner
soup salad sandwich burger pizza pasta seafood grill special kid snack coffee tea spirit sushi taco
vorspeise hauptgericht hauptspeise nachspeise nachtisch dessert beilage getrank suppe salat fisch fleisch mittagstisch
mittagsmenu fruhstuck kindergericht wein bier kaffee heissgetrank kaltgetrank tageskarte
entree plat accompagnement boisson fromage vin biere viande poisson potage salade formule petit dejeuner
entrante primero segundo principal postre bebida ensalada sopa carne pescado tapa racion vino cerveza desayuno
antipasto antipasti primo primi secondo secondi contorno contorni dolce dolci bevande bevanda insalata zuppa vini birre
entrada prato sobremesa bebida salada peixe vinho cerveja petisco acompanhamento
voorgerecht hoofdgerecht nagerecht bijgerecht drank soep salade lunchkaart wijn bieren
przystawka przystawki zupa zupy danie dania desery napoje salatka salatki
forratt varmratt efterratt dryck forret hovedret hovedretter forretter drikkevarer jalkiruoat alkuruoat paaruoat
predkrmy polevky napoje dezerty leves eloetelek foetelek italok
baslangic corba tatli icecek yemek salata
前菜 主菜 飲み物 ドリンク デザート 一品料理 定食 丼 饮料 主食 甜品 汤 小吃 凉菜 热菜
закуски салаты супы напитки десерты горячее
`)

/** What is eaten and drunk. */
const foods = vocabulary(`
chicken beef pork lamb duck turkey bacon ham sausage steak rib fish salmon tuna cod shrimp prawn lobster crab oyster
mussel calamari squid egg cheese mozzarella parmesan feta cheddar tomato onion garlic pepper mushroom spinach potato
fry chip rice noodle bean lentil corn avocado olive basil lemon lime apple banana chocolate vanilla caramel cake pie
brownie icecream cream sorbet waffle pancake toast bread bagel croissant roll wrap burger pizza pasta spaghetti
lasagna lasagne ravioli gnocchi risotto soup salad sandwich taco burrito quesadilla nacho curry ramen sushi sashimi
maki dumpling falafel hummus kebab tapa paella espresso cappuccino latte coffee tea juice lemonade soda cola water
wine beer lager ale ipa prosecco champagne whiskey whisky gin vodka rum martini mojito margarita aperol spritz
sauce dressing vinaigrette grilled fried roasted baked smoked
huhn hahnchen rind rindfleisch schwein kalb lachs forelle garnele kase eier kartoffel pommes reis nudel spatzle
schnitzel bratwurst currywurst gulasch sauerkraut zwiebel knoblauch pilz champignon brot brotchen kuchen torte eis
sahne suppe salat saft wasser bier wein weissbier schorle kaffee tee
poulet boeuf porc agneau canard saumon thon crevette oeuf fromage tomate oignon champignon pomme terre frite riz
pate pain gateau tarte glace creme soupe salade jus eau biere vin cafe croque quiche crepe
pollo ternera cerdo cordero salmon atun gamba huevo queso patata arroz pan tarta helado sopa ensalada zumo agua cerveza
vino jamon chorizo croqueta tortilla gazpacho
manzo maiale agnello salmone tonno gamberi uovo uova formaggio pomodoro cipolla aglio funghi patate riso pane torta
gelato tiramisu zuppa insalata succo acqua birra margherita prosciutto marinara carbonara bolognese bruschetta
frango bacalhau camarao ovo queijo batata arroz pao bolo sumo agua bife
kip varken zalm garnalen kaas aardappel friet rijst brood taart ijs soep bitterballen
kurczak wolowina wieprzowina losos ziemniak pierogi zurek barszcz
kyckling notkott lax raka potatis bulle kottbullar kylling oksekod laks reje kartoffel
鶏 牛 豚 魚 肉 海老 寿司 ラーメン うどん そば カレー 餃子 天ぷら 刺身 ご飯 ラテ コーヒー 珈琲 紅茶 緑茶 ケーキ パスタ ピザ
サラダ スープ ビール ワイン ジュース チキン バーガー サンド トースト プリン アイス 鸡 鸭 鱼 虾 牛肉 猪肉 面 饭 豆腐 咖啡 奶茶 蛋糕 啤酒
김치 비빔밥 불고기 라면 치킨 커피 라떼 케이크 맥주 국수 만두
курица говядина суп салат борщ пельмени
`)

/** How the page itself is called. */
const pageNames = vocabulary(
  'menu meny menukort ruokalista speisekarte getrankekarte karte carte carta menukaart cardapio ementa jidelni listek etlap menyu メニュー 菜单 菜單 меню',
)

function vocabulary(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(Boolean).map(singular))
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const longest = 300

function holds(text: string, known: ReadonlySet<string>): boolean {
  const given = text.slice(0, longest)
  if (words(given).some((word) => isKnown(word, known))) return true
  if (!spaceless.test(given)) return false
  for (const word of known) if (spaceless.test(word) && given.includes(word)) return true
  return false
}

/** Some languages join words and bend their ends: a long enough beginning or end counts as well. */
const shortestPart = 5

function isKnown(word: string, known: ReadonlySet<string>): boolean {
  if (known.has(word) || known.has(singular(word))) return true
  for (const stem of [word.slice(0, -1), word.slice(0, -2)])
    if (stem.length > 3 && known.has(stem)) return true
  for (let length = Math.min(word.length - 1, 20); length >= shortestPart; length -= 1) {
    if (known.has(word.slice(0, length)) || known.has(word.slice(-length))) return true
  }
  return false
}

/** Whether a text is the name of a section and nothing else: "Salads", and not "Salad with tuna". */
export function isSectionTitle(text: string): boolean {
  const named = words(text.slice(0, longest)).filter((word) => word.length > 2)
  return named.length > 0 && named.every((word) => isKnown(word, sectionNames))
}

export const isSectionName = (text: string) => holds(text, sectionNames)
export const isFood = (text: string) => holds(text, foods) || holds(text, sectionNames)
export const isMenuName = (text: string) => holds(text, pageNames)
