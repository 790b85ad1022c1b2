import SwiftData

/// The shapes of predicates that people write, each beside its meaning.
enum Shapes {
  static var all: [Shape] { values + relationships + switches + collections + composed }

  // The shapes unwrap on purpose: people write them so, and nothing is unwrapped at run time.
  // swift-format-ignore: NeverForceUnwrap
  static var values: [Shape] {
    let pages = 100
    let title = "Title 7"
    let limits = 50...120
    let largest = Int.max
    let same = ComparisonResult.orderedSame
    let suffix: String? = nil
    let ratings: [Double] = [0.5, 5, 11]
    return [
      Shape("captured equality", #Predicate { $0.pages == pages }) { $0.pages == pages },
      Shape("captured text", #Predicate { $0.title == title }) { $0.title == title },
      Shape("literal", #Predicate { book in book.title == "Title 3" }) { $0.title == "Title 3" },
      Shape("not equal", #Predicate { $0.pages != 30 && $0.title != title }) {
        $0.pages != 30 && $0.title != title
      },
      Shape("bare Bool", #Predicate { $0.isLent }) { $0.isLent },
      Shape("negated Bool", #Predicate { !$0.isLent }) { !$0.isLent },
      Shape("Bool literal", #Predicate { $0.isLent == false }) { !$0.isLent },
      Shape("nil", #Predicate { $0.rating == nil }) { $0.rating == nil },
      Shape("not nil", #Predicate { $0.rating != nil }) { $0.rating != nil },
      Shape("optional against value", #Predicate { $0.rating != 5.5 }) { $0.rating != 5.5 },
      Shape(
        "half-open range",
        #Predicate { $0.pages >= limits.lowerBound && $0.pages < limits.upperBound }
      ) {
        $0.pages >= 50 && $0.pages < 120
      },
      Shape("reversed operands", #Predicate { 50 <= $0.pages && $0.pages <= 90 }) {
        50 <= $0.pages && $0.pages <= 90
      },
      Shape("range operator", #Predicate { (50..<90).contains($0.pages) }) {
        (50..<90).contains($0.pages)
      },
      Shape("text range", #Predicate { $0.title >= "Title 2" && $0.title < "Title 3" }) {
        $0.title >= "Title 2" && $0.title < "Title 3"
      },
      Shape("starts", #Predicate { $0.title.starts(with: "Title 1") }) {
        $0.title.hasPrefix("Title 1")
      },
      Shape("contains", #Predicate { $0.title.contains("e 2") && !$0.isLent }) {
        $0.title.contains("e 2") && !$0.isLent
      },
      Shape("standard contains", #Predicate { $0.title.localizedStandardContains("unic") }) {
        $0.title.contains("Ünïc")
      },
      Shape("case-insensitive", #Predicate { $0.title.caseInsensitiveCompare("TITLE 4") == same }) {
        $0.title.lowercased() == "title 4"
      },
      Shape("text length", #Predicate { $0.title.count >= 8 }) { $0.title.count >= 8 },
      Shape("text empty", #Predicate { $0.title.isEmpty }) { $0.title.isEmpty },
      Shape("coalescing", #Predicate { ($0.rating ?? 100) < 6 }) { ($0.rating ?? 100) < 6 },
      Shape("force unwrap", #Predicate { $0.rating == nil || $0.rating! >= 6 }) {
        $0.rating == nil || $0.rating! >= 6
      },
      Shape("if let", #Predicate { if let rating = $0.rating { rating > 6 } else { false } }) {
        ($0.rating ?? 0) > 6
      },
      Shape("flatMap", #Predicate { $0.rating.flatMap { ratings.contains($0) } ?? false }) {
        $0.rating.map { ratings.contains($0) } ?? false
      },
      Shape("flatMap to true", #Predicate { $0.rating.flatMap { $0 > 6 } ?? true }) {
        $0.rating.map { $0 > 6 } ?? true
      },
      Shape("arithmetic", #Predicate { $0.pages * 2 + 10 > 300 && $0.pages % 20 == 0 }) {
        $0.pages * 2 + 10 > 300 && $0.pages % 20 == 0
      },
      Shape("division", #Predicate { $0.pages / 30 == 2 || -$0.pages < -200 }) {
        $0.pages / 30 == 2 || -$0.pages < -200
      },
      Shape("overflow never traps", #Predicate { $0.pages * largest > 0 }) { _ in false },
      Shape("captured nil", #Predicate { suffix == nil || $0.title == suffix! }) { _ in true },
      Shape("decimal", #Predicate { $0.price >= 9 && $0.price < 11.5 }) {
        $0.price >= 9 && $0.price < 11.5
      },
    ]
  }

  static var relationships: [Shape] {
    let name = "Bob"
    let names: Set = ["Bob", "Cy"]
    let born: Date? = Sample.epoch
    return [
      Shape("chain", #Predicate { $0.author?.name == name }) { $0.author?.name == name },
      Shape("chain not equal", #Predicate { $0.author?.name != name }) {
        $0.author?.name != name
      },
      Shape("to-one nil", #Predicate { $0.author == nil }) { $0.author == nil },
      Shape("to-one not nil", #Predicate { $0.author != nil && $0.rating == nil }) {
        $0.author != nil && $0.rating == nil
      },
      Shape("optional of optional", #Predicate { $0.author?.born == nil }) {
        $0.author?.born == nil
      },
      Shape("optional captured", #Predicate { $0.author?.born == born }) {
        $0.author?.born == born
      },
      Shape("chain contains", #Predicate { $0.author?.name.contains("n É") ?? false }) {
        $0.author?.name.contains("n É") ?? false
      },
      Shape("chain contains == true", #Predicate { $0.author?.name.contains("o") == true }) {
        $0.author?.name.contains("o") == true
      },
      Shape("chain contains != true", #Predicate { $0.author?.name.contains("o") != true }) {
        $0.author?.name.contains("o") != true
      },
      Shape("chain folds", #Predicate { $0.author?.name.localizedStandardContains("EMI") ?? false })
      { $0.author?.name.hasPrefix("Ann") ?? false },
      Shape(
        "flatMap of to-one", #Predicate { $0.author.flatMap { names.contains($0.name) } ?? false }
      ) { $0.author.map { names.contains($0.name) } ?? false },
      Shape("to-many contains", #Predicate { $0.shelves.contains { $0.label == "s1" } }) {
        $0.shelves.contains { $0.label == "s1" }
      },
      Shape(
        "to-many contains two",
        #Predicate { book in
          book.shelves.contains(where: { $0.room > 0 && $0.label != "s2" })
        }
      ) { $0.shelves.contains { $0.room > 0 && $0.label != "s2" } },
      Shape(
        "to-many all", #Predicate { $0.shelves.allSatisfy { $0.room < 2 } && !$0.shelves.isEmpty }
      ) { $0.shelves.allSatisfy { $0.room < 2 } && !$0.shelves.isEmpty },
      Shape("to-many count", #Predicate { $0.shelves.count >= 2 }) { $0.shelves.count >= 2 },
      Shape("to-many empty", #Predicate { $0.shelves.isEmpty }) { $0.shelves.isEmpty },
      Shape("filter count", #Predicate { $0.shelves.filter { $0.room > 0 }.count == 1 }) {
        $0.shelves.filter { $0.room > 0 }.count == 1
      },
      Shape(
        "outer row in inner test",
        #Predicate { book in
          book.shelves.contains { $0.room * 50 > book.pages }
        }
      ) { book in book.shelves.contains { $0.room * 50 > book.pages } },
      Shape(
        "to-many behind to-one",
        #Predicate { $0.author?.books.contains { $0.pages > 200 } ?? false }
      ) { $0.author?.books.contains { $0.pages > 200 } ?? false },
      Shape(
        "three levels",
        #Predicate { book in
          book.shelves.contains { shelf in
            (shelf.books?.contains { $0.author?.name == name && $0.pages < 50 }) == true
          }
        }
      ) { book in
        book.shelves.contains { shelf in
          shelf.books?.contains { $0.author?.name == name && $0.pages < 50 } == true
        }
      },
    ]
  }

  static var switches: [Shape] {
    let empty = ""
    let search = "1"
    let (useTitle, useLent) = (true, false)
    return [
      Shape("ternary search off", #Predicate { empty.isEmpty ? true : $0.title.contains(empty) }) {
        _ in true
      },
      Shape("ternary search on", #Predicate { search.isEmpty ? true : $0.title.contains(search) }) {
        $0.title.contains("1")
      },
      Shape(
        "statement search",
        #Predicate { book in
          if search.isEmpty {
            return true
          } else {
            return book.title.contains(search) || book.isLent
          }
        }
      ) { $0.title.contains("1") || $0.isLent },
      Shape("or search", #Predicate { !$0.isLent && (empty.isEmpty || $0.title.contains(empty)) }) {
        !$0.isLent
      },
      Shape(
        "implications",
        #Predicate {
          (!useTitle || $0.title.contains(search)) && (!useLent || $0.isLent)
        }
      ) { $0.title.contains("1") },
      Shape(
        "ternary as operand",
        #Predicate { ($0.author?.name == "Bob" ? "B" : $0.author?.name) == "B" }
      ) { $0.author?.name == "Bob" },
      Shape("coalesced Bool", #Predicate { !($0.author?.name.isEmpty ?? true) }) {
        $0.author != nil
      },
      Shape("constant", #Predicate { _ in true }) { _ in true },
      Shape("constant false", #Predicate { _ in false }) { _ in false },
    ]
  }

  static var collections: [Shape] {
    let pages = [10, 20, 70]
    let titles: Set<String> = ["Title 1", "Title 2"]
    let none: [Int] = []
    let genre = Genre.poems
    let words = ["Title 3", "Title 4"]
    return [
      Shape("captured array", #Predicate { pages.contains($0.pages) }) {
        pages.contains($0.pages)
      },
      Shape("captured set, negated", #Predicate { !titles.contains($0.title) }) {
        !titles.contains($0.title)
      },
      Shape("captured empty array", #Predicate { none.contains($0.pages) }) { _ in false },
      Shape("captured enum", #Predicate { $0.genre == genre }) { $0.genre == .poems },
      Shape("enum raw value", #Predicate { $0.genre.rawValue == "novel" }) { $0.genre == .novel },
      Shape(
        "captured elements tested",
        #Predicate { book in
          words.contains(where: { $0 == book.title })
        }
      ) { words.contains($0.title) },
      Shape("captured all satisfy", #Predicate { book in pages.allSatisfy { $0 < book.pages } }) {
        $0.pages > 70
      },
    ]
  }

  static var composed: [Shape] {
    let lent = #Predicate<Book> { $0.isLent }
    let long = #Predicate<Book> { $0.pages > 120 }
    let byBob = #Predicate<Author> { $0.name == "Bob" }
    let filters = [lent, long]
    let count = #Expression<[Shelf], Int> { $0.filter { $0.room > 0 }.count }
    return [
      Shape("evaluate and", #Predicate { lent.evaluate($0) && long.evaluate($0) }) {
        $0.isLent && $0.pages > 120
      },
      Shape("evaluate or not", #Predicate { !lent.evaluate($0) || long.evaluate($0) }) {
        !$0.isLent || $0.pages > 120
      },
      Shape("evaluate on to-one", #Predicate { $0.author.flatMap { byBob.evaluate($0) } ?? false })
      {
        $0.author?.name == "Bob"
      },
      Shape("all of", Predicate(all: filters)) { $0.isLent && $0.pages > 120 },
      Shape("any of", Predicate(any: filters)) { $0.isLent || $0.pages > 120 },
      Shape("all of none", Predicate(all: [Predicate<Book>]())) { _ in true },
      Shape("any of none", Predicate(any: [Predicate<Book>]())) { _ in false },
      Shape("expression", #Predicate { count.evaluate($0.shelves) + 1 == 2 }) {
        $0.shelves.filter { $0.room > 0 }.count == 1
      },
    ]
  }
}
