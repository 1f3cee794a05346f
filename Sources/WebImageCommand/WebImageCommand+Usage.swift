import ArgumentParser

extension WebImageCommand {
    /// What is said of wrong usage that a command finds when it runs: the same, with that command's usage, as when the words
    /// are read. The parser would show the usage of the whole, as it does not know what ran.
    static func message(for error: ValidationError, of command: any ParsableCommand.Type) -> String {
        let words = words(to: command, from: self) ?? []
        return """
            Error: \(error.message)
            Usage: \(usageString(for: command))
              See '\(words.joined(separator: " ")) --help' for more information.
            """
    }

    /// The words that call a command; nil when it is not below the other.
    private static func words(
        to command: any ParsableCommand.Type, from root: any ParsableCommand.Type
    ) -> [String]? {
        let name = root.configuration.commandName ?? ""
        guard root != command else { return [name] }
        for child in root.configuration.subcommands {
            if let rest = words(to: command, from: child) { return [name] + rest }
        }
        return nil
    }
}
