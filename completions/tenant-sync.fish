# Completion of tenant-sync in fish. To load it, add this line to ~/.config/fish/config.fish:
#   tenant-sync completion fish | source
function __tenant_sync_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command $before[1] completion fish -- $before[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case folders
            __fish_complete_directories "$current" ''
        case files
            __fish_complete_path "$current"
        case words
            printf '%s\n' $lines[2..-1]
    end
end
complete -c tenant-sync -f -a '(__tenant_sync_complete)'
