fn main() -> std::process::ExitCode {
    chakart::main()
}
